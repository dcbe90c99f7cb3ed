import { Fragment, type ReactNode } from 'react'

/** Keeps an email address on one line. A longer one breaks after "@" or before a dot, not in a word. */
export function Breakable({ text }: { text: string }) {
  return text.split(/(\S+@\S+)/).map((part, place) =>
    part.includes('@') ? (
      // oxlint-disable-next-line react/no-array-index-key -- the parts never change their places
      <span key={place} className="inline-block max-w-full">
        <Address text={part} />
      </span>
    ) : (
      part
    ),
  )
}

/** An email address that breaks like that wherever its place lets text break. */
export function Address({ text }: { text: string }) {
  return text.split(/(?<=@)|(?=\.)/).map((piece, place) => (
    // oxlint-disable-next-line react/no-array-index-key -- the pieces never change their places
    <Fragment key={place}>
      {piece}
      <wbr />
    </Fragment>
  ))
}

type UnbrokenProps = { text: string; parts: string[] }

/** Keeps each of these parts of a text on one line, such as a date or a time. */
export function Unbroken({ text, parts }: UnbrokenProps): ReactNode {
  const part = parts.find((part) => part && text.includes(part))
  if (!part) return text
  const at = text.indexOf(part)
  const others = parts.filter((other) => other !== part)
  return (
    <>
      <Unbroken text={text.slice(0, at)} parts={others} />
      <span className="whitespace-nowrap">{part}</span>
      <Unbroken text={text.slice(at + part.length)} parts={others} />
    </>
  )
}
