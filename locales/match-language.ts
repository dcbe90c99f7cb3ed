/** The first of our languages that fits one of the BCP 47 tags, the most wanted first. */
export function matchLanguages<Code extends string>(
  tags: readonly string[],
  codes: readonly Code[],
): Code | undefined {
  for (const tag of tags) {
    const code = matchLanguage(tag, codes)
    if (code) return code
  }
  return undefined
}

/** Prefers the same tag, then the same script (`zh-HK` is `zh-TW`), then the same language. */
export function matchLanguage<Code extends string>(
  tag: string,
  codes: readonly Code[],
): Code | undefined {
  try {
    const { language, script } = new Intl.Locale(tag).maximize()
    const same = codes
      .map((code) => ({ code, ...scriptOf(code) }))
      .filter((ours) => ours.language === language)
    return (
      same.find(({ code }) => code === tag) ??
      same.find((ours) => ours.script === script) ??
      same[0]
    )?.code
  } catch {
    return undefined
  }
}

function scriptOf(code: string) {
  const { language, script } = new Intl.Locale(code).maximize()
  return { language, script }
}
