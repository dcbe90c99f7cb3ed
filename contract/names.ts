/** Characters that make mail programs show a link. */
const links = /:\/\/|www\./giu

/**
 * Invisible characters, and those that change the direction of text. Variation selectors and the
 * tags of flags are allowed, because they only change the character before them.
 */
const unseen =
  /[\p{Zl}\p{Zp}]|(?![\u180E\u200C\u200D\p{Variation_Selector}\u{E0020}-\u{E007F}])\p{Default_Ignorable_Code_Point}/gu

/** Joiners in a wrong place. They belong between letters or emoji, or after an Indic virama. */
const strayJoiners =
  /(?<![\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}])[\u180E\u200C\u200D]|(?<![\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0BCD\u0C4D\u0CCD\u0D4D\u0DCA])[\u180E\u200C\u200D](?![\p{L}\p{M}\p{Extended_Pictographic}])/gu

/** A visible character. The excluded braille pattern without dots is as blank as a space. */
const seen = /(?!\u2800)[\p{L}\p{N}\p{P}\p{S}]/u

/** Others read a name in lists and mails: it must be visible, without links or reversed text. */
export function isNameAllowed(name: string) {
  return (
    name === '' ||
    (seen.test(name) && [links, unseen, strayJoiners].every((found) => name.search(found) === -1))
  )
}

/** Removes from a name what `isNameAllowed` forbids; empty if nothing is left. */
export function tidyName(name: string) {
  const tidied = [unseen, strayJoiners].reduce((rest, found) => rest.replaceAll(found, ''), name)
  const oneLine = tidied
    .replaceAll(links, ' ')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  return isNameAllowed(oneLine) ? oneLine : ''
}
