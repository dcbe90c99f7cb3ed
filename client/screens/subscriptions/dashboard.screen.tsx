import { paths } from '#contract/paths.ts'
import { Plus } from 'lucide-react'
import { useSession } from '../../api/session.ts'
import { ButtonLink } from '../../components/button.tsx'
import { Notice } from '../../components/notice.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { useT } from '../../platform/i18n.ts'
import { useNews } from '../../layouts/news.tsx'
import { PendingInvitations, SentInvitations } from '../invites/invitations.tsx'
import { VerifyEmailNote } from '../profile/send-verification.tsx'
import { Projects } from './projects.tsx'

export function Dashboard() {
  const t = useT()
  const { user } = useSession()
  const { news, putAway } = useNews()
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
      {news.removed && (
        <Notice tone="warn" onDismiss={putAway}>
          {t('live.removed', { project: news.removed })}
        </Notice>
      )}
      {news.processing && (
        <Notice tone="neutral" onDismiss={putAway}>
          {t('createPlan.processing')}
        </Notice>
      )}
      {news.notLoaded && (
        <Notice tone="bad" title={t('project.loadFailed')} onDismiss={putAway}>
          {t(`errors.${news.notLoaded}`)}
        </Notice>
      )}
      {news.turnedAway && (
        <Notice tone="warn" onDismiss={putAway}>
          {t(`errors.${news.turnedAway}`)}
        </Notice>
      )}
      {!user.emailVerified && <VerifyEmailNote text="profile.verifyToSeeInvites" />}
      <Projects above={user.emailVerified && <PendingInvitations />} />
      <SentInvitations />
    </>
  )
}
