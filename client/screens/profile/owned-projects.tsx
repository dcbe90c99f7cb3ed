import { projectPath } from '#contract/paths.ts'
import type { CallError } from '../../api/post.ts'
import { Problem } from '../../components/problem.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { useT } from '../../i18n.ts'

type Owned = { id: string; name: string }

/** The projects that keep their owner from going, each with the way to where it is canceled or handed over. */
export function OwnedProjects({ error }: { error: CallError }) {
  const t = useT()
  const projects = error.details['projects'] as Owned[]
  return (
    <div className="grid gap-3">
      <Problem error={error} failed="profile.deleteFailed" />
      <ul className="divide-y divide-line rounded-notice border border-line">
        {projects.map(({ id, name }) => (
          <li key={id} className="flex flex-wrap justify-between gap-x-4 gap-y-1 px-4 py-2.5">
            <span className="min-w-0 wrap-anywhere">{name || t('project.untitled')}</span>
            <TextLink to={projectPath('billing', id)} aria-label={t('profile.billingOf', { project: name || t('project.untitled') })}>
              {t('billing.title')}
            </TextLink>
          </li>
        ))}
      </ul>
    </div>
  )
}
