import type { UserRecord } from '#contract/entities.ts'
import { paths } from '#contract/paths.ts'
import type { MessageKey } from '#locales/keys.ts'
import { Download, History } from 'lucide-react'
import type { ReactNode } from 'react'
import { useCall, useFreshUser } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { Avatar } from '../../components/avatar.tsx'
import { Breakable } from '../../components/breakable.tsx'
import { Badge, Card } from '../../components/card.tsx'
import { Button, ButtonLink } from '../../components/button.tsx'
import { classes } from '../../components/classes.ts'
import { CopyId } from '../../components/copy-id.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { LiveProblem, LiveRegion, Message } from '../../components/message.tsx'
import { useFormat } from '../../platform/format.ts'
import { useT } from '../../platform/i18n.ts'
import { useOwnData } from './use-own-data.ts'
import { runtime } from '../../platform/runtime.ts'
import { AccessTokens } from './access-tokens.tsx'
import { LinkedAccounts } from './linked-accounts.tsx'
import { NoticeChoices, Preferences } from './preferences.tsx'
import { OwnCards, OwnCosts } from './own-cards.tsx'
import { Passkeys } from './passkeys.tsx'
import { SendVerification } from './send-verification.tsx'
import { Sessions } from './sessions.tsx'
import { TwoStepSignIn } from './two-step-sign-in.tsx'

export function Profile() {
  const t = useT()
  const { data, error, refetch } = useCall('getUser', {})
  useFreshUser()
  return (
    <>
      <PageTitle title={t('profile.title')}>
        <nav aria-label={t('profile.title')} className="mt-1.5 flex flex-wrap gap-x-4 text-small">
          {Object.entries(parts).map(([id, title]) => (
            <a key={id} href={`#${id}`} className="touch-target relative py-1 text-accent-ink">
              {t(title)}
            </a>
          ))}
        </nav>
      </PageTitle>
      <LiveProblem error={error} failed="profile.loadFailed" retry={refetch} />
      <LiveRegion>
        {data?.user.undeliverable_email && (
          <Message tone="warn">
            <Breakable
              text={t('profile.undeliverable', { email: data.user.undeliverable_email })}
            />
          </Message>
        )}
      </LiveRegion>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(28rem,100%),1fr))] items-start gap-5">
        <div className={stack}>
          <Person record={data?.user} />
          <div id="security" {...part}>
            <LinkedAccounts />
            <Passkeys />
            <TwoStepSignIn />
            <Sessions />
            <AccessTokens />
          </div>
          <OwnCards />
        </div>
        <div className={stack}>
          <OwnCosts />
          <div id="preferences" {...part}>
            <Preferences />
          </div>
          <NoticeChoices />
          <Offers />
        </div>
      </div>
    </>
  )
}

/** The parts that links at the top lead to. */
const parts = {
  security: 'profile.security',
  preferences: 'profile.preferences.title',
  emails: 'profile.notices.title',
  data: 'profile.ownData.title',
} as const
const stack = 'grid max-w-180 grid-cols-1 gap-5'
const part = { tabIndex: -1, className: 'grid grid-cols-1 gap-5 outline-none' }

/** `record` is missing while it loads. */
function Person({ record }: { record: UserRecord | undefined }) {
  const t = useT()
  const format = useFormat()
  const { user } = useSession()
  const hasPassword = record?.has_password !== false
  const hasProviders = runtime.signInProviders.length > 0
  return (
    <Card flush>
      <div className="flex items-center gap-4 p-inset">
        <Avatar
          id={user.uid}
          name={user.displayName}
          url={record?.avatar_url}
          className="size-16 text-title"
        />
        <div className="min-w-0">
          <p className="text-lead font-semibold wrap-anywhere">{user.displayName}</p>
          <p className="text-small text-soft">
            {t(hasProviders ? 'profile.avatarHint' : 'profile.avatarHintInitial')}
          </p>
        </div>
      </div>
      <dl className="divide-y divide-line border-t border-line">
        <Fact
          name="profile.name"
          action={
            <ButtonLink to={paths.editName} data-shortcut="edit">
              {t('profile.editName')}
            </ButtonLink>
          }
        >
          {user.displayName}
        </Fact>
        <Fact
          name="profile.email"
          action={<ButtonLink to={paths.editEmail}>{t('profile.editEmail')}</ButtonLink>}
        >
          <Breakable text={user.email} />
        </Fact>
        <Fact name="profile.emailVerified">
          <span className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
            <Badge tone={user.emailVerified ? 'good' : 'warn'} dot>
              {t(user.emailVerified ? 'common.yes' : 'common.no')}
            </Badge>
            {!user.claimed && <SendVerification />}
          </span>
        </Fact>
        <Fact
          name="profile.password"
          action={
            <ButtonLink to={paths.changePassword}>
              {t(hasPassword ? 'profile.changePassword' : 'profile.setPassword')}
            </ButtonLink>
          }
        >
          {hasPassword && <span aria-hidden>••••••••</span>}
          <span className={hasPassword ? 'sr-only' : undefined}>
            {t(hasPassword ? 'profile.passwordHidden' : 'profile.noPassword')}
          </span>
        </Fact>
        <Fact name="profile.userId">
          <CopyId id={user.uid} />
        </Fact>
        <Fact name="profile.created">
          <span className="whitespace-nowrap">{format.dateTime(user.creationTime)}</span>
        </Fact>
      </dl>
    </Card>
  )
}

type FactProps = { name: MessageKey; action?: ReactNode; children: ReactNode }

function Fact({ name, action, children }: FactProps) {
  const t = useT()
  return (
    <div className="grid min-h-15 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-6 px-inset py-3">
      <dt className="text-small text-soft">{t(name)}</dt>
      <dd className={classes('row-start-2 wrap-anywhere tabular-nums', !action && 'col-span-2')}>
        {children}
      </dd>
      {action && <dd className="col-start-2 row-span-2 row-start-1">{action}</dd>}
    </div>
  )
}

function Offers() {
  const t = useT()
  const { busy, error, download } = useOwnData()
  return (
    <div id="data" {...part}>
      <Offer title="activity.ownTitle" text="activity.ownLead">
        <ButtonLink to={paths.ownActivity} icon={<History />}>
          {t('activity.toOwn')}
        </ButtonLink>
      </Offer>
      <Offer
        title="profile.ownData.title"
        text="profile.ownData.text"
        problem={<LiveProblem error={error} failed="profile.ownData.failed" className="mt-3" />}
      >
        <Button icon={<Download />} busy={busy} onClick={download}>
          {t('profile.ownData.download')}
        </Button>
      </Offer>
      <Offer title="profile.deleteAccount" text="profile.deleteIntro">
        <ButtonLink to={paths.deleteAccount} variant="danger">
          {t('profile.deleteAccount')}
        </ButtonLink>
      </Offer>
    </div>
  )
}

type OfferProps = { title: MessageKey; text: MessageKey; problem?: ReactNode; children: ReactNode }

function Offer({ title, text, problem, children }: OfferProps) {
  const t = useT()
  return (
    <Card title={t(title)}>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p className="min-w-0 flex-1 basis-44 text-soft">{t(text)}</p>
        {children}
      </div>
      {problem}
    </Card>
  )
}
