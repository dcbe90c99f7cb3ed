import { paths, projectPath } from '#contract/paths.ts'
import { ButtonLink } from '../../components/button.tsx'
import { Message } from '../../components/message.tsx'
import { useT } from '../../i18n.ts'
import { withReturn } from '../../return-path.ts'

export type Owned = { id: string; name: string }

/** The active projects of an owner who wants to delete their account. Both links return here. */
export function OwnedProjects({ projects }: { projects: Owned[] }) {
  const t = useT()
  return (
    <div className="grid gap-4">
      <Message tone="warn" title={t('people.owned.title', { count: projects.length })}>
        {t('people.owned.text')}
      </Message>
      <ul className="divide-y divide-line rounded-notice border border-line">
        {projects.map(({ id, name }) => (
          <OwnedProject key={id} id={id} project={name || t('common.untitledProject')} />
        ))}
      </ul>
    </div>
  )
}

function OwnedProject({ id, project }: { id: string; project: string }) {
  const t = useT()
  const to = (screen: 'transferOwnership' | 'cancelSubscription') =>
    withReturn(projectPath(screen, id), paths.deleteAccount)
  return (
    <li className="grid gap-2.5 px-4 py-3">
      <span className="font-strong wrap-anywhere">{project}</span>
      <span className="flex flex-wrap gap-2">
        <ButtonLink
          to={to('transferOwnership')}
          aria-label={t('people.owned.transferOf', { project })}
        >
          {t('people.owned.transfer')}
        </ButtonLink>
        <ButtonLink
          to={to('cancelSubscription')}
          aria-label={t('people.owned.cancelOf', { project })}
        >
          {t('people.owned.cancel')}
        </ButtonLink>
      </span>
    </li>
  )
}
