package pub

import (
	"fmt"
	"strings"
)

// visitWords are what members read who look at a site as a visitor: on the page where they choose claims, in the note
// above every page, and in the list of what is hidden.
type visitWords struct {
	Look, LookHint, NotAdaptive, NotThere, LookAt string
	Change, Hidden, Leave, AsNobody, AsVisitor    string
	OneHidden, ManyHidden, NothingHidden          string
	Section, Variant, HeaderLink, Page, PageAbove string
	ShownIf, Unreadable                           string
}

// as says as whom the site is seen; claims are those of the visitor, "" for none.
func (w *visitWords) as(claims string) string {
	if claims == "" {
		return w.AsNobody
	}
	return fmt.Sprintf(w.AsVisitor, claims)
}

// visitLines reads a table of those words, a line each in the order of the fields.
func visitLines(table string) visitWords {
	texts := strings.Split(strings.TrimSpace(table), "\n")
	for i := range texts {
		texts[i] = strings.TrimSpace(texts[i])
	}
	return visitWords{
		Look: texts[0], LookHint: texts[1], NotAdaptive: texts[2], NotThere: texts[3], LookAt: texts[4],
		Change: texts[5], Hidden: texts[6], Leave: texts[7], AsNobody: texts[8], AsVisitor: texts[9],
		OneHidden: texts[10], ManyHidden: texts[11], NothingHidden: texts[12],
		Section: texts[13], Variant: texts[14], HeaderLink: texts[15], Page: texts[16], PageAbove: texts[17],
		ShownIf: texts[18], Unreadable: texts[19],
	}
}

var englishVisit = visitLines(`Look as a visitor
	Choose what the site would know of a visitor, and see what they see.
	The content of this site does not adapt to its visitors: turn adaptive content on and give the site a schema of claims first.
	not there
	Look at the site
	Change
	What is hidden
	Leave
	as a visitor of whom nothing is known
	as a visitor with %s
	One thing is hidden from this visitor.
	%d things are hidden from this visitor.
	Nothing is hidden from this visitor.
	section
	variant
	link of the header
	page
	page, with %d below it
	Shown if
	Its condition cannot be read, so nobody sees it:`)

var frenchVisit = visitLines(`Voir comme un visiteur
	Choisissez ce que le site saurait d’un visiteur, et voyez ce qu’il voit.
	Le contenu de ce site ne s’adapte pas à ses visiteurs : activez d’abord le contenu adaptatif et donnez au site un schéma de claims.
	absent
	Voir le site
	Modifier
	Ce qui est masqué
	Quitter
	comme un visiteur dont on ne sait rien
	comme un visiteur avec %s
	Un élément est masqué pour ce visiteur.
	%d éléments sont masqués pour ce visiteur.
	Rien n’est masqué pour ce visiteur.
	section
	variante
	lien de l’en-tête
	page
	page, avec %d autres en dessous
	Affiché si
	Sa condition est illisible, donc personne ne le voit :`)

var spanishVisit = visitLines(`Ver como visitante
	Elija lo que el sitio sabría de un visitante y vea lo que este ve.
	El contenido de este sitio no se adapta a sus visitantes: active antes el contenido adaptable y dé al sitio un esquema de claims.
	ausente
	Ver el sitio
	Cambiar
	Qué está oculto
	Salir
	como un visitante del que no se sabe nada
	como un visitante con %s
	Hay un elemento oculto para este visitante.
	Hay %d elementos ocultos para este visitante.
	No hay nada oculto para este visitante.
	sección
	variante
	enlace de la cabecera
	página
	página, con %d por debajo
	Se muestra si
	Su condición no se puede leer, así que nadie lo ve:`)

var germanVisit = visitLines(`Als Besucher ansehen
	Wählen Sie, was die Website über einen Besucher wüsste, und sehen Sie, was er sieht.
	Der Inhalt dieser Website passt sich ihren Besuchern nicht an: Schalten Sie erst adaptive Inhalte ein und geben Sie der Website ein Schema der Claims.
	nicht da
	Website ansehen
	Ändern
	Was verborgen ist
	Verlassen
	als Besucher, über den nichts bekannt ist
	als Besucher mit %s
	Etwas ist vor diesem Besucher verborgen.
	%d Dinge sind vor diesem Besucher verborgen.
	Vor diesem Besucher ist nichts verborgen.
	Bereich
	Variante
	Link im Kopf
	Seite
	Seite, mit %d darunter
	Gezeigt, wenn
	Die Bedingung ist nicht lesbar, deshalb sieht es niemand:`)

var dutchVisit = visitLines(`Bekijken als bezoeker
	Kies wat de site over een bezoeker zou weten en zie wat die ziet.
	De inhoud van deze site past zich niet aan bezoekers aan: zet eerst adaptieve inhoud aan en geef de site een schema van claims.
	afwezig
	De site bekijken
	Wijzigen
	Wat verborgen is
	Verlaten
	als bezoeker van wie niets bekend is
	als bezoeker met %s
	Eén ding is voor deze bezoeker verborgen.
	%d dingen zijn voor deze bezoeker verborgen.
	Voor deze bezoeker is niets verborgen.
	onderdeel
	variant
	link in de kop
	pagina
	pagina, met %d eronder
	Getoond als
	De voorwaarde is niet te lezen, dus niemand ziet het:`)

var norwegianVisit = visitLines(`Se som besøkende
	Velg hva nettstedet skulle vite om en besøkende, og se det de ser.
	Innholdet på dette nettstedet tilpasser seg ikke de besøkende: slå først på tilpasset innhold og gi nettstedet et skjema for claims.
	ikke satt
	Se nettstedet
	Endre
	Hva som er skjult
	Forlat
	som en besøkende man ikke vet noe om
	som en besøkende med %s
	Én ting er skjult for denne besøkende.
	%d ting er skjult for denne besøkende.
	Ingenting er skjult for denne besøkende.
	del
	variant
	lenke i toppen
	side
	side, med %d under
	Vises hvis
	Betingelsen kan ikke leses, så ingen ser det:`)

var portugueseVisit = visitLines(`Ver como visitante
	Escolha o que o site saberia de um visitante e veja o que ele vê.
	O conteúdo deste site não se adapta aos visitantes: ative antes o conteúdo adaptável e dê ao site um esquema de claims.
	ausente
	Ver o site
	Alterar
	O que está oculto
	Sair da prévia
	como um visitante de quem nada se sabe
	como um visitante com %s
	Há um item oculto para este visitante.
	Há %d itens ocultos para este visitante.
	Não há nada oculto para este visitante.
	seção
	variante
	link do cabeçalho
	página
	página, com %d abaixo
	Mostrado se
	A condição não pode ser lida, então ninguém o vê:`)

var russianVisit = visitLines(`Посмотреть как посетитель
	Выберите, что сайт знал бы о посетителе, и посмотрите, что он видит.
	Содержание этого сайта не подстраивается под посетителей: сначала включите адаптивное содержание и задайте сайту схему утверждений (claims).
	нет
	Посмотреть сайт
	Изменить
	Что скрыто
	Выйти из просмотра
	как посетитель, о котором ничего не известно
	как посетитель с %s
	От этого посетителя скрыто: 1.
	От этого посетителя скрыто: %d.
	От этого посетителя ничего не скрыто.
	раздел
	вариант
	ссылка в шапке
	страница
	страница, под ней ещё %d
	Показывается, если
	Условие не читается, поэтому этого никто не видит:`)

var japaneseVisit = visitLines(`訪問者として見る
	サイトが訪問者について知っていることを選ぶと、その訪問者に見える内容を確認できます。
	このサイトの内容は訪問者に応じて変わりません。先に適応コンテンツを有効にし、クレームのスキーマを設定してください。
	なし
	サイトを見る
	変更
	非表示の項目
	終了
	（何もわかっていない訪問者として）
	（%sの訪問者として）
	この訪問者には1件が非表示です。
	この訪問者には%d件が非表示です。
	この訪問者に非表示の項目はありません。
	セクション
	バリアント
	ヘッダーのリンク
	ページ
	ページ（下位に%d件）
	表示条件：
	条件を読み取れないため、誰にも表示されません：`)

var chineseVisit = visitLines(`以访客身份查看
	选择站点对访客的了解，查看该访客看到的内容。
	本站内容不随访客变化：请先启用自适应内容，并为站点设置声明架构。
	无
	查看站点
	更改
	隐藏的内容
	退出
	：以身份未知的访客查看
	：以访客身份查看（%s）
	对此访客隐藏了 1 项。
	对此访客隐藏了 %d 项。
	没有对此访客隐藏任何内容。
	分区
	变体
	页眉链接
	页面
	页面（其下有 %d 个）
	显示条件：
	条件无法读取，因此任何人都看不到：`)
