import { Fragment } from 'react'

/** A text whose addresses may break after "@" and before a dot, not inside a word. */
export function Breakable({ text }: { text: string }) {
  return text.split(/(?<=\S@)(?=\S)|(?<=@\S*)(?=\.\w)/).map((part, place) => (
    // oxlint-disable-next-line react/no-array-index-key -- the parts never change their places
    <Fragment key={place}>
      {place > 0 && <wbr />}
      {part}
    </Fragment>
  ))
}
