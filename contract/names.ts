/** Mail programs make links of these. */
const links = /:\/\/|www\./giu

/**
 * What nobody sees in a line of text: blank characters, and those that turn the direction of what follows. Left out are variation selectors
 * and the tags of flags, which choose how the character before them looks, and joiners.
 */
const unseen =
  /[\p{Zl}\p{Zp}]|(?![\u180E\u200C\u200D\p{Variation_Selector}\u{E0020}-\u{E007F}])\p{Default_Ignorable_Code_Point}/gu

/** Joiners are part of how words and emoji are written: between two letters or emoji, or after a virama, which may end an Indic word. */
const strayJoiners =
  /(?<![\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}])[\u180E\u200C\u200D]|(?<![\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0BCD\u0C4D\u0CCD\u0D4D\u0DCA])[\u180E\u200C\u200D](?![\p{L}\p{M}\p{Extended_Pictographic}])/gu

/** One symbol is as blank as a space: the braille pattern without dots. */
const seen = /(?!\u2800)[\p{L}\p{N}\p{P}\p{S}]/u

/**
 * Names stand in lists and mails that other people read: nobody may be invisible there, be written backwards, or send a link. Whether a
 * name may be empty is not asked here.
 */
export function isNameAllowed(name: string) {
  return (
    name === '' ||
    (seen.test(name) && [links, unseen, strayJoiners].every((found) => name.search(found) === -1))
  )
}

/** A name that was written elsewhere, without what is not allowed in it; empty if nothing is left. */
export function tidyName(name: string) {
  const tidied = [unseen, strayJoiners].reduce((rest, found) => rest.replaceAll(found, ''), name)
  const oneLine = tidied
    .replaceAll(links, ' ')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  return isNameAllowed(oneLine) ? oneLine : ''
}
