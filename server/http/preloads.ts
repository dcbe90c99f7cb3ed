import { fallbackLanguage, languages, type LanguageCode } from '#config/languages.ts'
import { isOpen, screenModule, screens, type ScreenName } from '#contract/screens.ts'
import { matchLanguages } from '#locales/match-language.ts'
import { existsSync, readFileSync } from 'node:fs'
import { tagsOf } from './front-pages.ts'

/** Vite's manifest: the file of each chunk, and the chunks that it imports, by source module. */
type Manifest = Record<string, { file: string; imports?: string[] }>

const codes = Object.keys(languages) as LanguageCode[]

/** Gives a screen's `Link` header: the chunks to fetch before the page's own chunk has run. */
export function openPreloads(folder: string) {
  const file = `${folder}manifest.json`
  const manifest = (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}) as Manifest
  const modules = Object.keys(manifest)
  const ofPage = withImports(['index.html'])

  function withImports(roots: string[]) {
    const found = new Set(roots)
    for (const module of found)
      for (const imported of manifest[module]?.imports ?? []) found.add(imported)
    return found
  }

  return function preloadsOf(wanted: ScreenName, isSignedIn: boolean, acceptLanguage?: string) {
    const language = languageOf(acceptLanguage)
    // The app leads visitors who need to sign in to the sign-in screen.
    const screen = isSignedIn || isOpen(screens[wanted].needs) ? wanted : 'signIn'
    const endings = [
      screenModule(screen),
      `/${language}.json?visitors`,
      ...(screens[screen].needs === 'signedOut' && !isSignedIn ? [] : [`/${language}.json?others`]),
      ...(isSignedIn ? ['signed-in-area.tsx', '/screens/top-bar.tsx'] : []),
    ]
    const roots = modules.filter((module) => endings.some((ending) => module.endsWith(ending)))
    return [...withImports(roots)]
      .filter((module) => !ofPage.has(module))
      .map((module) => `</${manifest[module]!.file}>; rel=modulepreload`)
      .join(', ')
  }
}

function languageOf(acceptLanguage?: string) {
  return matchLanguages(tagsOf(acceptLanguage), codes) ?? fallbackLanguage
}
