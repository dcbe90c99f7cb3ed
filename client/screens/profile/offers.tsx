import { paths } from '#contract/paths.ts'
import type { MessageKey } from '#locales/keys.ts'
import { Download, History } from 'lucide-react'
import type { ReactNode } from 'react'
import { useAction } from '../../api/use-action.ts'
import { useSession } from '../../api/use-session.tsx'
import { Button, ButtonLink } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { LiveProblem } from '../../components/problem.tsx'
import { useT } from '../../i18n.ts'
import { saveFile } from '../../save-file.ts'

/** What the user can do with all that is kept about them. */
export function Offers() {
  const t = useT()
  const { user } = useSession()
  const { busy, error, run } = useAction('exportUser')
  const download = () =>
    run({}, ({ data }) =>
      saveFile(`atrium-${user.uid}.json`, JSON.stringify(data, null, 2), 'application/json'),
    )
  return (
    <>
      <Offer title="activity.ownTitle" text="activity.ownLead">
        <ButtonLink to={paths.ownActivity} icon={<History aria-hidden />}>
          {t('activity.toOwn')}
        </ButtonLink>
      </Offer>
      <Offer
        title="profile.ownData.title"
        text="profile.ownData.text"
        problem={<LiveProblem error={error} failed="profile.ownData.failed" className="mt-3" />}
      >
        <Button icon={<Download aria-hidden />} busy={busy} onClick={() => void download()}>
          {t('profile.ownData.download')}
        </Button>
      </Offer>
      <Offer title="profile.deleteAccount" text="profile.deleteIntro">
        <ButtonLink to={paths.deleteAccount} variant="danger">
          {t('profile.deleteAccount')}
        </ButtonLink>
      </Offer>
    </>
  )
}

type OfferProps = { title: MessageKey; text: MessageKey; problem?: ReactNode; children: ReactNode }

/** A card with one thing to do. */
function Offer({ title, text, problem, children }: OfferProps) {
  const t = useT()
  return (
    <Card title={t(title)} className="max-w-180">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p className="min-w-0 flex-1 basis-60 text-soft">{t(text)}</p>
        {children}
      </div>
      {problem}
    </Card>
  )
}
