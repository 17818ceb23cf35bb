// The elements that scripts of integrations draw with, as the app looks. Texts are texts, whatever is in them.
import { Fragment, lazy, type ReactNode, Suspense } from "react";
import { Button, buttonClass, IconButton } from "../look/Button";
import { t } from "../words/words";
import { useKit } from "./context";
import { addressIn, pictureIn, safeURL, valueIn, type Address, type Element } from "./elements";
import { EditedCode, Field, Input } from "./Fields";
import { Icon } from "./Icon";
import styles from "./Kit.module.css";
import { Stepper } from "./Stepper";
import { WebFrame } from "./WebFrame";

const Markdown = lazy(() => import("./Markdown").then(({ Markdown }) => ({ default: Markdown })));

// Root is a block, what is in a modal, or a configuration.
export function Root({ element }: { element: Element }) {
  return (
    <div className={styles.column}>
      <Elements list={element.children} />
    </div>
  );
}

export function Elements({ list }: { list: Element[] }) {
  return list.map((each, i) =>
    each.kind === "words" ? (
      <Fragment key={i}>{each.words}</Fragment>
    ) : (
      <One key={`${i} ${each.kind} ${each.state}`} element={each} />
    ),
  );
}

const aligned = (element: Element) => (["start", "center", "end"].includes(element.align) ? element.align : undefined);

function One({ element }: { element: Element }): ReactNode {
  const { state } = useKit();
  switch (element.kind) {
    case "vstack":
    case "hstack":
      return (
        <div className={element.kind === "vstack" ? styles.column : styles.line} data-align={aligned(element)}>
          <Elements list={element.children} />
        </div>
      );
    case "box":
    case "step":
    case "block":
    case "configuration":
    case "modal":
      return (
        <div className={styles.box} data-grows={element.grows || undefined}>
          <Elements list={element.children} />
        </div>
      );
    case "divider":
      return (
        <hr
          className={styles.divider}
          data-size={["medium", "large"].includes(element.size) ? element.size : undefined}
        />
      );
    case "text":
      return <Text element={element} />;
    case "hint":
      return (
        <p className={styles.hint}>
          <InLine list={element.children} />
        </p>
      );
    case "link":
      return <Link address={addressIn(element.address, state)}><Elements list={element.children} /></Link>;
    case "image":
      return <Picture address={element.address} ratio={element.ratio} />;
    case "card":
      return <Card element={element} />;
    case "button":
    case "control":
      return <Press element={element} />;
    case "codeblock":
      return <Code element={element} />;
    case "markdown":
      return (
        <Suspense fallback={null}>
          <Markdown text={valueIn(element.content, state)} />
        </Suspense>
      );
    case "webframe":
      return <WebFrame element={element} />;
    case "stepper":
      return <Stepper element={element} />;
    case "input":
      return <Input element={element} />;
    case "words":
      return element.words;
    default:
      return <Field element={element} />;
  }
}

function Text({ element: { style, children } }: { element: Element }) {
  const inner = <InLine list={children} />;
  if (style === "bold") return <strong>{inner}</strong>;
  if (style === "italic") return <em>{inner}</em>;
  if (style === "code") return <code className={styles.inline}>{inner}</code>;
  return style === "strikethrough" ? <s>{inner}</s> : <span>{inner}</span>;
}

function Link({ address, children }: { address: string; children: ReactNode }) {
  if (!address) return children;
  return (
    <a href={address} target="_blank" rel="noopener noreferrer nofollow" className={styles.link}>
      {children}
    </a>
  );
}

// Picture shows a picture that is here. One of another server is a link: the app loads nothing from where its policy
// does not let it.
function Picture({ address, ratio }: { address: Address | null; ratio: number }) {
  const { state } = useKit();
  const found = pictureIn(address, state);
  if (!found) return null;
  if (!isHere(found)) return <Link address={found}>{t("kit.picture", { host: new URL(found).host })}</Link>;
  return (
    <img src={found} alt="" className={styles.picture} {...(ratio ? { style: { aspectRatio: String(ratio) } } : {})} />
  );
}

const isHere = (picture: string) => picture.startsWith("data:") || new URL(picture).origin === location.origin;

// InLine is what stands in a line of text, where a picture is as high as the text. One of another server is left out.
function InLine({ list }: { list: Element[] }) {
  const { state } = useKit();
  return list.map((each, i) => {
    if (each.kind !== "image") return <Elements key={i} list={[each]} />;
    const found = pictureIn(each.address, state);
    return found && isHere(found) ? <img key={i} src={found} alt="" className={styles.inlinePicture} /> : null;
  });
}

function Card({ element }: { element: Element }) {
  const { act, state } = useKit();
  const { title, hint, icon, picture, press, children, buttons, confirm } = element;
  const drawing = pictureIn(picture, state);
  return (
    <div className={styles.card}>
      {(title || icon || drawing || hint.length > 0) && (
        <div className={styles.cardHead}>
          {drawing && isHere(drawing) ? (
            <img src={drawing} alt="" className={styles.cardPicture} />
          ) : (
            <Icon name={icon} />
          )}
          <div className={styles.cardTitles}>
            {title &&
              (press ? (
                <button type="button" className={styles.cardPress} onClick={() => act(press, confirm)}>
                  {title}
                </button>
              ) : (
                <div className={styles.cardTitle}>{title}</div>
              ))}
            {hint.length > 0 && (
              <div className={styles.hint}>
                <InLine list={hint} />
              </div>
            )}
          </div>
        </div>
      )}
      {children.length > 0 && (
        <div className={styles.column}>
          <Elements list={children} />
        </div>
      )}
      <Buttons list={buttons} />
    </div>
  );
}

export function Buttons({ list }: { list: Element[] }) {
  return (
    list.length > 0 && (
      <div className={styles.line}>
        <Elements list={list} />
      </div>
    )
  );
}

const buttonKinds: Record<string, "primary" | "danger"> = { primary: "primary", danger: "danger" };

function Press({
  element: { label, tooltip, icon, trailingIcon, style, press, confirm, disabled },
}: {
  element: Element;
}) {
  const { act } = useKit();
  const kind = buttonKinds[style] ?? "plain";
  const address = press?.action === "@ui.url.open" && !confirm && !disabled ? safeURL(String(press["url"])) : "";
  if (address) {
    return (
      <a
        href={address}
        target="_blank"
        rel="noopener noreferrer nofollow"
        className={buttonClass(kind)}
        {...(label ? {} : { "aria-label": tooltip || t("kit.open") })}
      >
        <Icon name={icon} />
        {label}
        <Icon name={trailingIcon} />
      </a>
    );
  }
  const off = disabled || !press;
  if (!label) {
    return (
      <IconButton
        label={tooltip || press?.action || t("kit.button")}
        disabled={off}
        onClick={() => act(press, confirm)}
      >
        <Icon name={icon || trailingIcon || "maximize"} />
      </IconButton>
    );
  }
  return (
    <Button
      kind={kind}
      icon={<Icon name={icon} />}
      disabled={off}
      onClick={() => act(press, confirm)}
      {...(tooltip ? { title: tooltip } : {})}
    >
      {label}
      <Icon name={trailingIcon} />
    </Button>
  );
}

function Code({ element }: { element: Element }) {
  const { state } = useKit();
  const text = valueIn(element.content, state);
  return (
    <div className={styles.column}>
      {element.header.length > 0 && <div className={styles.hint}><Elements list={element.header} /></div>}
      {element.change || element.state ? (
        <EditedCode element={element} />
      ) : (
        <pre className={styles.code} tabIndex={0} aria-label={element.syntax || t("kit.code")}>
          <code>{text}</code>
        </pre>
      )}
      <Buttons list={element.buttons} />
      {element.footer.length > 0 && <div className={styles.hint}><Elements list={element.footer} /></div>}
    </div>
  );
}
