import { useEffect, useRef } from 'react'
import { NavigationType, useLocation, useNavigationType } from 'react-router'
import { led } from './use-go-on.ts'

window.navigation?.addEventListener('navigate', (event) => {
  // On a way back, the browser would restore the position after this page has scrolled to the top.
  // The way to a page before a reload can't be intercepted.
  if (led.isOn && event.canIntercept && event.navigationType === 'traverse')
    event.intercept({ scroll: 'manual', focusReset: 'manual' })
})

/**
 * Scrolls new screens and steps to the top, and those to which a form leads. On any other way back,
 * the browser restores the position.
 */
export function useScrollToTop() {
  const { pathname, key } = useLocation()
  const type = useNavigationType()
  const last = useRef({ pathname: '', key: '' })
  useEffect(() => {
    const { current } = last
    last.current = { pathname, key }
    if (current.key === key) return
    const isNew = type === NavigationType.Push || current.pathname !== pathname
    if (led.isOn || (isNew && type !== NavigationType.Pop)) window.scrollTo(0, 0)
    led.isOn = false
  }, [pathname, key, type])
}
