import { paths, projectPath, type ProjectPathName } from '#contract/paths.ts'
import type { Screen } from '#contract/rows.ts'
import { screens, type ScreenName } from '#contract/screens.ts'
import { ChevronRight } from 'lucide-react'
import { useLocation, useParams, useSearchParams } from 'react-router'
import { TextLink } from '../components/button.tsx'
import { withChoice } from '../components/price-choice.ts'
import { screenAt } from '../components/screen-at.ts'
import { useReturnLink } from '../components/use-go-on.ts'
import { useT } from '../platform/i18n.ts'

/** Links to the screens above this one, from the table of screens. The title below is the last. */
export function Breadcrumbs() {
  const t = useT()
  const { pathname } = useLocation()
  const { id } = useParams()
  const [query] = useSearchParams()
  const here = screenAt(pathname)
  const above = []
  if (here?.parent) {
    const { title }: Screen = screens[here.parent]
    above.push({ to: pathTo(here.parent, id), title: title! })
  }
  if (here?.firstStep && query.has('plan'))
    above.push({ to: withChoice(pathname, query), title: here.firstStep })
  if (above.length === 0) return null
  return (
    <nav aria-label={t('frame.breadcrumbs')} className="mb-1.5 print:hidden">
      <ol className="flex flex-wrap gap-x-1 text-small">
        {above.map(({ to, title }, place) => (
          <li key={to} className="flex items-center gap-1">
            {place > 0 && (
              <ChevronRight aria-hidden className="size-3.5 text-faint rtl:-scale-x-100" />
            )}
            <Crumb to={to}>{t(title)}</Crumb>
          </li>
        ))}
      </ol>
    </nav>
  )
}

function Crumb({ to, children }: { to: string; children: string }) {
  return (
    <TextLink
      {...useReturnLink(to)}
      className="touch-target relative py-1 text-soft! hover:text-ink!"
    >
      {children}
    </TextLink>
  )
}

function pathTo(name: ScreenName, id: string | undefined) {
  return id === undefined ? paths[name] : projectPath(name as ProjectPathName, id)
}
