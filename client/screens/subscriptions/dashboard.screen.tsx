import { paths } from '#contract/paths.ts'
import { Plus } from 'lucide-react'
import { useSession } from '../../api/session.ts'
import { ButtonLink } from '../../components/button.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { useT } from '../../platform/i18n.ts'
import { News } from '../../layouts/news.tsx'
import { SentInvitations } from '../invites/invitations.tsx'
import { VerifyEmailNote } from '../profile/send-verification.tsx'
import { Projects, useProjects } from './projects.tsx'

export function Dashboard() {
  const t = useT()
  const { user } = useSession()
  const projects = useProjects()
  return (
    <>
      <PageTitle
        title={t('dashboard.title')}
        action={
          <ButtonLink
            to={paths.createPlan}
            variant="primary"
            icon={<Plus />}
            // The empty list has this button itself. Beside the title, its room stays, so that
            // nothing moves.
            className={projects.isEmpty ? 'invisible max-sm:hidden' : undefined}
          >
            {t('dashboard.create')}
          </ButtonLink>
        }
      />
      <News />
      {!user.emailVerified && <VerifyEmailNote />}
      <Projects {...projects} />
      <SentInvitations />
    </>
  )
}
