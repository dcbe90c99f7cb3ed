import { Fragment } from 'react'

/** Keeps an email address on one line. A longer one breaks after "@" or before a dot, not in a word. */
export function Breakable({ text }: { text: string }) {
  return text.split(/(\S+@\S+)/).map((part, place) =>
    part.includes('@') ? (
      // oxlint-disable-next-line react/no-array-index-key -- the parts never change their places
      <span key={place} className="inline-block max-w-full">
        {part.split(/(?<=@)|(?=\.)/).map((piece, place) => (
          // oxlint-disable-next-line react/no-array-index-key
          <Fragment key={place}>
            {piece}
            <wbr />
          </Fragment>
        ))}
      </span>
    ) : (
      part
    ),
  )
}

type UnbrokenProps = { text: string; part: string }

/** Keeps a part of a text on one line, such as a date or a time. */
export function Unbroken({ text, part }: UnbrokenProps) {
  const at = text.indexOf(part)
  if (at < 0) return text
  return (
    <>
      {text.slice(0, at)}
      <span className="whitespace-nowrap">{part}</span>
      {text.slice(at + part.length)}
    </>
  )
}
