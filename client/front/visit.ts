// The only script of the pages for visitors: what this browser knows of its visitor. Without it
// everything is there, in the language that the browser asks for.

/** The cookie that tells of a session; the build puts it here. */
declare const MARKER: string

const root = document.documentElement
const { pathname, search, hash } = location
const isSignedIn = document.cookie.includes(MARKER)
if (isSignedIn) root.dataset['session'] = ''

try {
  const { theme, language } = localStorage
  if (theme === 'light' || theme === 'dark') {
    root.dataset['theme'] = theme
    addEventListener('DOMContentLoaded', () => {
      for (const source of document.querySelectorAll<HTMLSourceElement>('source[data-dark]'))
        source.media = theme === 'dark' ? source.dataset['dark']! : 'not all'
    })
  }
  const own = document.querySelector<HTMLLinkElement>(`link[hreflang="${language}"]`)
  // An address that names a language is shown in it.
  if (own && language !== root.lang && pathname.lastIndexOf('/') === 0)
    location.replace(new URL(own.href).pathname + search + hash)
} catch {
  // The browser keeps nothing, or something else than a language.
}

addEventListener('click', ({ target, ctrlKey, metaKey, shiftKey }) => {
  const link = target instanceof Element && target.closest('a')
  if (!link) return
  const query = new URLSearchParams(link.search)
  const next = query.get('next')
  const code = new URLSearchParams(search).get('code')
  const wanted = next && code ? `${next}&code=${encodeURIComponent(code)}` : next
  try {
    if (link.hreflang) localStorage.setItem('language', link.hreflang)
    // Tells the app that its visitor has chosen a plan in this tab, and not followed an address.
    const isHere = !ctrlKey && !metaKey && !shiftKey
    if (wanted && isSignedIn && isHere) sessionStorage.setItem('chosen-plan', wanted)
  } catch {
    // Then the app asks again.
  }
  if (!wanted) return
  query.set('next', wanted)
  link.href = isSignedIn ? wanted : `${link.pathname}?${query}`
})

// The switch of intervals and currencies leads to the page that shows the choice.
addEventListener('change', ({ target }) => {
  if (target instanceof Element) target.closest('form')?.submit()
})
