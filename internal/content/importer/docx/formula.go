package docx

import (
	"strings"

	"golang.org/x/net/html"

	"github.com/rectodocs/recto/internal/content/importer/markup"
)

// formula reads a formula as TeX. oMathPara holds formulas that stand by themselves.
func (p *part) formula(e element, state *run, holder *html.Node) error {
	if e.Name == "oMathPara" {
		return p.Children(func(e element) error { return p.inline(e, state, holder) })
	}
	tex, err := p.tex()
	if err != nil {
		return err
	}
	if tex = strings.Join(strings.Fields(tex), " "); tex != "" {
		markup.Append(holder, markup.Append(markup.Element("span", "class", "math"), markup.Text(`\(`+tex+`\)`)))
		state.text = true
		state.code = false
	}
	return nil
}

// tex reads the formulas inside the element that was read last.
func (p *part) tex() (string, error) {
	var out strings.Builder
	err := p.Children(func(e element) error {
		part, err := p.texPart(e)
		out.WriteString(part)
		return err
	})
	return out.String(), err
}

// texPart reads one construct of a formula.
func (p *part) texPart(e element) (string, error) {
	switch e.Name {
	case "r":
		var out strings.Builder
		err := p.Children(func(e element) error {
			if e.Name != "t" {
				return p.Skip()
			}
			text, err := p.Text()
			out.WriteString(texText(text))
			return err
		})
		return out.String(), err
	case "f", "sSup", "sSub", "sSubSup", "rad", "nary", "d", "func", "limLow", "limUpp", "bar", "acc", "groupChr", "m",
		"eqArr":
		return p.texConstruct(e.Name)
	case "rPr", "ctrlPr", "fPr", "oMathParaPr":
		return "", p.Skip()
	}
	return p.tex()
}

// texConstruct reads the arguments of a construct and writes it.
func (p *part) texConstruct(name string) (string, error) {
	arguments := map[string]string{}
	properties := map[string]string{}
	var list []string
	err := p.Children(func(e element) error {
		if strings.HasSuffix(e.Name, "Pr") {
			return p.Children(func(e element) error {
				properties[e.Name] = e.Attr("val")
				return p.Skip()
			})
		}
		if name == "m" && e.Name == "mr" {
			var cells []string
			err := p.Children(func(element) error {
				cell, err := p.tex()
				cells = append(cells, cell)
				return err
			})
			list = append(list, strings.Join(cells, " & "))
			return err
		}
		argument, err := p.tex()
		arguments[e.Name] = argument
		list = append(list, argument)
		return err
	})
	a := func(name string) string { return "{" + arguments[name] + "}" }
	switch name {
	case "f":
		return `\frac` + a("num") + a("den"), err
	case "sSup":
		return a("e") + "^" + a("sup"), err
	case "sSub":
		return a("e") + "_" + a("sub"), err
	case "sSubSup":
		return a("e") + "_" + a("sub") + "^" + a("sup"), err
	case "rad":
		if arguments["deg"] != "" {
			return `\sqrt[` + arguments["deg"] + "]" + a("e"), err
		}
		return `\sqrt` + a("e"), err
	case "nary":
		operator := texText(properties["chr"])
		if operator == "" {
			operator = `\int `
		}
		if arguments["sub"] != "" {
			operator += "_" + a("sub")
		}
		if arguments["sup"] != "" {
			operator += "^" + a("sup")
		}
		return operator + a("e"), err
	case "d":
		open, closing := "(", ")"
		if begin, ok := properties["begChr"]; ok {
			open = delimiter(begin)
		}
		if end, ok := properties["endChr"]; ok {
			closing = delimiter(end)
		}
		return `\left` + open + " " + strings.Join(list, ", ") + ` \right` + closing + " ", err
	case "func":
		return arguments["fName"] + a("e"), err
	case "limLow":
		return arguments["e"] + "_" + a("lim"), err
	case "limUpp":
		return arguments["e"] + "^" + a("lim"), err
	case "bar":
		return `\overline` + a("e"), err
	case "m":
		return `\begin{matrix}` + strings.Join(list, ` \\ `) + `\end{matrix}`, err
	case "eqArr":
		return `\begin{aligned}` + strings.Join(list, ` \\ `) + `\end{aligned}`, err
	}
	return a("e"), err
}

// delimiter writes a bracket.
func delimiter(written string) string {
	switch written {
	case "":
		return "."
	case "{", "}":
		return `\` + written
	}
	return texText(written)
}

// texCharacters are characters that TeX has names for.
var texCharacters = strings.NewReplacer(
	`\`, `\backslash `, "{", `\{`, "}", `\}`, "%", `\%`, "#", `\#`, "&", `\&`, "$", `\$`, "_", `\_`,
	"∑", `\sum `, "∏", `\prod `, "∫", `\int `, "∞", `\infty `, "≤", `\le `, "≥", `\ge `, "≠", `\ne `, "±", `\pm `, "×",
	`\times `, "·", `\cdot `,
	"→", `\to `, "∈", `\in `, "√", `\sqrt `, "∂", `\partial `, "≈", `\approx `, "−", "-",
	"α", `\alpha `, "β", `\beta `, "γ", `\gamma `, "δ", `\delta `, "ε", `\epsilon `, "θ", `\theta `, "λ", `\lambda `,
	"μ", `\mu `, "π", `\pi `,
	"ρ", `\rho `, "σ", `\sigma `, "τ", `\tau `, "φ", `\phi `, "ω", `\omega `, "Δ", `\Delta `, "Σ", `\Sigma `, "Ω",
	`\Omega `,
)

func texText(text string) string { return texCharacters.Replace(text) }
