import { paths } from '#contract/paths.ts'
import { History } from 'lucide-react'
import { useCall, useFreshUser } from '../../api/queries.tsx'
import { useSession } from '../../api/use-session.tsx'
import { Avatar } from '../../components/avatar.tsx'
import { Badge } from '../../components/badge.tsx'
import { ButtonLink } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { CopyId } from '../../components/copy-id.tsx'
import { LiveRegion } from '../../components/message.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { Problem } from '../../components/problem.tsx'
import { useFormat } from '../../format.ts'
import { useT } from '../../i18n.ts'
import { Fact, Facts } from './facts.tsx'
import { LinkedAccounts } from './linked-accounts.tsx'
import { OwnCards } from './own-cards.tsx'
import { OwnData } from './own-data.tsx'
import { SendVerification } from './send-verification.tsx'
import { Sessions } from './sessions.tsx'

export function Profile() {
  const t = useT()
  const format = useFormat()
  const { user } = useSession()
  const { data, error, refetch } = useCall('getUser', {})
  useFreshUser()
  const hasPassword = data?.user.has_password !== false
  return (
    <>
      <PageTitle title={t('profile.title')} />
      <LiveRegion className="max-w-180">
        {error && <Problem error={error} failed="profile.loadFailed" retry={refetch} />}
      </LiveRegion>
      <Card className="max-w-180" flush>
        <div className="flex items-center gap-4 p-4 sm:px-5 sm:py-5">
          <Avatar
            name={user.displayName}
            url={data?.user.avatar_url}
            className="size-16 text-title"
          />
          <div className="min-w-0">
            <p className="text-lead font-semibold wrap-anywhere">{user.displayName}</p>
            <p className="text-small text-soft">{t('profile.avatarHint')}</p>
          </div>
        </div>
        <Facts>
          <Fact
            label={t('profile.name')}
            action={<ButtonLink to={paths.editName}>{t('profile.editName')}</ButtonLink>}
          >
            {user.displayName}
          </Fact>
          <Fact
            label={t('profile.email')}
            action={<ButtonLink to={paths.editEmail}>{t('profile.editEmail')}</ButtonLink>}
          >
            {user.email}
          </Fact>
          <Fact
            label={t('profile.emailVerified')}
            action={!user.emailVerified && <SendVerification />}
          >
            <Badge tone={user.emailVerified ? 'good' : 'warn'} dot>
              {t(user.emailVerified ? 'common.yes' : 'common.no')}
            </Badge>
          </Fact>
          <Fact
            label={t('profile.password')}
            action={
              <ButtonLink to={paths.changePassword}>
                {t(hasPassword ? 'profile.changePassword' : 'profile.setPassword')}
              </ButtonLink>
            }
          >
            {hasPassword ? <Masked /> : t('profile.noPassword')}
          </Fact>
          <Fact label={t('profile.userId')}>
            <CopyId id={user.uid} />
          </Fact>
          <Fact label={t('profile.created')}>{format.dateTime(user.creationTime)}</Fact>
        </Facts>
      </Card>
      <LinkedAccounts />
      <Sessions />
      <OwnCards />
      <Card title={t('activity.ownTitle')} className="max-w-180">
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
          <p className="min-w-0 flex-1 basis-60 text-soft">{t('activity.ownLead')}</p>
          <ButtonLink to={paths.ownActivity} icon={<History aria-hidden />}>
            {t('activity.toOwn')}
          </ButtonLink>
        </div>
      </Card>
      <OwnData />
      <Card title={t('profile.deleteAccount')} className="max-w-180">
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
          <p className="min-w-0 flex-1 basis-60 text-soft">{t('profile.deleteIntro')}</p>
          <ButtonLink to={paths.deleteAccount} variant="danger">
            {t('profile.deleteAccount')}
          </ButtonLink>
        </div>
      </Card>
    </>
  )
}

function Masked() {
  const t = useT()
  return (
    <>
      <span aria-hidden>••••••••</span>
      <span className="sr-only">{t('profile.passwordHidden')}</span>
    </>
  )
}
