import { noticeKinds, type NoticeKind } from '#contract/notices.ts'
import { useState } from 'react'
import { useCall } from '../../api/queries.ts'
import { useAction } from '../../api/call.ts'
import { Card } from '../../components/card.tsx'
import { Checkbox } from '../../components/fields.tsx'
import { LiveProblem } from '../../components/message.tsx'
import { useArrival } from '../../components/use-arrival.ts'
import { useT } from '../../platform/i18n.ts'

/** Which mails about projects the user gets. The link in those mails leads here. */
export function ProjectEmails() {
  const t = useT()
  const section = useArrival('#emails')
  return (
    <section ref={section} tabIndex={-1} className="scroll-mt-20 outline-none">
      <Card title={t('profile.notices.title')}>
        <p className="mb-3 text-soft">{t('profile.notices.intro')}</p>
        {noticeKinds.map((kind) => (
          <NoticeSwitch key={kind} kind={kind} />
        ))}
      </Card>
    </section>
  )
}

/** Is saved at once, and changes back if the server refuses. */
function NoticeSwitch({ kind }: { kind: NoticeKind }) {
  const t = useT()
  const { data, refetch } = useCall('getUser', {})
  const { busy, error, run } = useAction('saveUser')
  const [wanted, setWanted] = useState(true)

  function save(isOn: boolean) {
    setWanted(isOn)
    // Waits for the reload that the change has already started.
    void run({ notices: { [kind]: isOn } }, () => refetch({ cancelRefetch: false }))
  }

  return (
    <>
      <Checkbox
        checked={busy ? wanted : data?.user.notices[kind] !== false}
        disabled={!data}
        onChange={({ target }) => save(target.checked)}
      >
        {t(`profile.notices.${kind}`)}
      </Checkbox>
      <LiveProblem error={error} failed="profile.notices.failed" />
    </>
  )
}
