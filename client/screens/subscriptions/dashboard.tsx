import { paths } from '#contract/paths.ts'
import { Plus } from 'lucide-react'
import { useLocation } from 'react-router'
import { useSession } from '../../api/use-session.tsx'
import { CallError } from '../../api/post.ts'
import { ButtonLink } from '../../components/button.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { Problem } from '../../components/problem.tsx'
import { useT } from '../../i18n.ts'
import { PendingInvitations } from '../invites/pending-invitations.tsx'
import { VerifyEmailNote } from '../profile/verify-email-note.tsx'
import { ProjectGrid } from './project-grid.tsx'

export function Dashboard() {
  const t = useT()
  const { user } = useSession()
  const { state } = useLocation()
  return (
    <>
      <PageTitle
        title={t('dashboard.title')}
        action={
          <ButtonLink to={paths.createPlan} variant="primary" icon={<Plus aria-hidden />}>
            {t('dashboard.create')}
          </ButtonLink>
        }
      />
      {state?.problem && <Problem error={new CallError(state.problem)} failed="project.loadFailed" />}
      {user.emailVerified ? <PendingInvitations /> : <VerifyEmailNote text="profile.verifyToSeeInvites" />}
      <ProjectGrid />
    </>
  )
}
