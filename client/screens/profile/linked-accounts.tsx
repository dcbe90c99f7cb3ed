import { useId, useState } from 'react'
import { call, signInAgain, tellOfChange, useAction } from '../../api/call.ts'
import type { CallError } from '../../api/post.ts'
import { useCall } from '../../api/queries.ts'
import { usePopup } from '../../api/use-popup.ts'
import { useSession } from '../../api/session.ts'
import { Badge, Card } from '../../components/card.tsx'
import { Button } from '../../components/button.tsx'
import { LiveRegion, Message, Problem } from '../../components/message.tsx'
import { useLanguage, useT } from '../../platform/i18n.ts'
import { providerLabel, runtime } from '../../platform/runtime.ts'
import { toast } from '../../platform/toasts.ts'
import { PopupState, ProviderIcon } from '../identity/providers.tsx'

type Provider = { name: string; label: string }

export function LinkedAccounts() {
  const t = useT()
  const language = useLanguage()
  const { data } = useCall('getUser', {})
  const { emailVerified, claimed } = useSession().user
  const noteId = useId()
  const popup = usePopup()
  const unlink = useAction('unlinkProvider')
  const [isOnceMore, setOnceMore] = useState(false)
  const linked = data?.user.providers ?? []
  const offered = runtime.signInProviders.map(({ name }) => name)
  const shown = [...new Set([...offered, ...linked])].map((name) => ({
    name,
    label: providerLabel(name),
    isLinked: linked.includes(name),
    act: linked.includes(name) ? ('unlink' as const) : ('link' as const),
  }))
  if (!data || shown.length === 0) return null

  function start() {
    setOnceMore(false)
    popup.reset()
    unlink.reset()
  }

  function link({ name, label }: Provider) {
    start()
    void popup.open({
      where: async () =>
        (await call('startProviderFlow', { provider: name, intent: 'link', language })).url,
      onDone() {
        toast(t('profile.linked.done', { provider: label }))
        tellOfChange()
      },
      onRefused: (error) => void askAgain(error),
    })
  }

  /** Asks for a recent sign-in, then for another click: browsers open a window only on a click. */
  async function askAgain(error: CallError) {
    if (error.reason !== 'auth/requires-recent-login' || !(await signInAgain())) return
    start()
    setOnceMore(true)
  }

  async function remove({ name, label }: Provider) {
    start()
    if (await unlink.run({ provider: name }))
      toast(t('profile.linked.removed', { provider: label }))
  }

  return (
    <Card title={t('profile.linked.title')} flush>
      <div className="border-b border-line px-inset py-3 text-soft">
        <p>{t('profile.linked.intro')}</p>
        {!claimed && (
          <p id={noteId}>{t(emailVerified ? 'errors.claimRequired' : 'errors.emailNotVerified')}</p>
        )}
      </div>
      <ul className="divide-y divide-line">
        {shown.map((provider) => (
          <li
            key={provider.name}
            className="flex min-h-15 flex-wrap items-center justify-between gap-x-6 gap-y-2 px-inset py-3"
          >
            <span className="flex flex-wrap items-center gap-2 font-strong [&_svg]:size-5">
              <ProviderIcon name={provider.name} />
              {provider.label}
              {provider.isLinked && <Badge tone="good">{t('profile.linked.linked')}</Badge>}
            </span>
            <Button
              busy={provider.isLinked && unlink.busy}
              disabled={!provider.isLinked && !claimed}
              aria-describedby={provider.isLinked || claimed ? undefined : noteId}
              aria-label={t(`profile.linked.${provider.act}Of`, { provider: provider.label })}
              onClick={() => (provider.isLinked ? void remove(provider) : link(provider))}
            >
              {t(`profile.linked.${provider.act}`)}
            </Button>
          </li>
        ))}
      </ul>
      <LiveRegion className="px-inset pb-4">
        {isOnceMore && <Message tone="good">{t('profile.linked.onceMore')}</Message>}
        <Problem error={unlink.error} />
      </LiveRegion>
      <PopupState popup={popup} className="px-inset pb-4" />
    </Card>
  )
}
