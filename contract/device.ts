import type { Translate } from '#locales/translator.ts'

/** The first match counts, because a user agent also names the browsers that it descends from. */
const browsers: [RegExp, string][] = [
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/YaBrowser\//, 'Yandex'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrom(e|ium)\/|CriOS\//, 'Chrome'],
  [/Version\/.*Safari\//, 'Safari'],
]

const systems: [RegExp, string][] = [
  [/Windows/, 'Windows'],
  [/iPhone|iPod/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/CrOS/, 'ChromeOS'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/Linux/, 'Linux'],
]

const handhelds = new Set(['iPhone', 'iPad', 'Android'])

export function deviceOf(userAgent: string) {
  const system = nameIn(systems, userAgent)
  return {
    browser: nameIn(browsers, userAgent),
    system,
    isHandheld: system !== undefined && handhelds.has(system),
  }
}

/** The device in words, with its browser and system; undefined if neither is known. */
export function deviceName(userAgent: string, t: Translate) {
  const { browser, system } = deviceOf(userAgent)
  return browser && system ? t('profile.sessions.device', { browser, system }) : (browser ?? system)
}

function nameIn(names: [RegExp, string][], userAgent: string) {
  return names.find(([pattern]) => pattern.test(userAgent))?.[1]
}
