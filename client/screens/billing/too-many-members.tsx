import type { MessageKey } from '#locales/keys.ts'
import type { CallError } from '../../api/post.ts'
import { ButtonLink } from '../../components/button.tsx'
import { useT } from '../../i18n.ts'
import { useProject } from '../../layouts/use-project.ts'

/** Who takes the seats that the other plan has not, and the way to make room. */
export function TooManyMembers({ error }: { error: CallError }) {
  const t = useT()
  const { pathTo } = useProject()
  const { members = [], invited = [] } = error.details as { members?: string[]; invited?: string[] }
  return (
    <div className="grid gap-4 rounded-notice border border-line p-4">
      <People title="billing.change.members" names={members} />
      <People title="billing.change.invited" names={invited} />
      <ButtonLink to={pathTo('users')} className="justify-self-start">
        {t('billing.change.makeRoom')}
      </ButtonLink>
    </div>
  )
}

function People({ title, names }: { title: MessageKey; names: string[] }) {
  const t = useT()
  if (names.length === 0) return null
  return (
    <div>
      <h2 className="text-small font-strong">{t(title, { count: names.length })}</h2>
      <ul className="mt-2 flex flex-wrap gap-1.5">
        {Object.entries(names).map(([place, name]) => (
          <li
            key={place}
            className="rounded-control bg-sunken px-2.5 py-0.5 text-small wrap-anywhere text-soft"
          >
            {name}
          </li>
        ))}
      </ul>
    </div>
  )
}
