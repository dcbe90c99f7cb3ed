import type { AccessToken } from '#contract/entities.ts'
import type { CallOutput } from '#contract/calls.ts'
import { KeySquare } from 'lucide-react'
import { useId, useRef, useState, useEffect } from 'react'
import { awaitReload, useCall } from '../../api/queries.ts'
import { Unbroken } from '../../components/breakable.tsx'
import { Button } from '../../components/button.tsx'
import { Badge, Card, Chip } from '../../components/card.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { FoldedList } from '../../components/folded-list.tsx'
import { useArrival } from '../../components/use-arrival.ts'
import { useFormat } from '../../platform/format.ts'
import { useT } from '../../platform/i18n.ts'
import { MakeToken } from './make-token.tsx'
import { CopyId } from '../../components/copy-id.tsx'

type AccessTokensProps = {
  /** Shows the tokens for this project, whoever made them, instead of the user's own. */
  subscriptionId?: string
  /** Nothing can be made here any more. */
  isClosed?: boolean
}

/** What programs sign in with. Mails about their end lead here. */
export function AccessTokens({ subscriptionId, isClosed = false }: AccessTokensProps) {
  const t = useT()
  const inProject = subscriptionId === undefined ? {} : { subscriptionId }
  const found = useCall('listAccessTokens', inProject)
  const { data, refetch, dataUpdatedAt } = found
  const [isMaking, setMaking] = useState(false)
  /** The new token, which is shown once, when the dialog is closed. Only this screen has it. */
  const [made, setMade] = useState<Made>()
  const [revoking, setRevoking] = useState<AccessToken>()
  const section = useArrival('#tokens')
  const list = useRef<HTMLUListElement>(null)

  const reload = () => awaitReload(refetch)

  return (
    <section ref={section} tabIndex={-1} className="scroll-mt-20 outline-none">
      <Card
        title={t('tokens.title')}
        flush
        action={
          data && !isClosed && <Button onClick={() => setMaking(true)}>{t('tokens.make')}</Button>
        }
      >
        <p className="px-inset py-3 text-soft">
          {t(subscriptionId === undefined ? 'tokens.own' : 'tokens.ofProject')}
        </p>
        {made && (
          <NewToken
            made={made}
            onKept={() => {
              setMade(undefined)
              // The pressed button is gone.
              list.current?.focus({ preventScroll: true })
            }}
          />
        )}
        <FoldedList
          ref={list}
          title={t('tokens.title')}
          found={found}
          failed="tokens.loadFailed"
          rows={data?.accessTokens}
        >
          {(token) => (
            <TokenRow
              key={token.id}
              token={token}
              ofProject={subscriptionId !== undefined}
              isOver={token.expires * 1000 <= dataUpdatedAt}
              onRevoke={() => setRevoking(token)}
            />
          )}
        </FoldedList>
        {isMaking && (
          <MakeToken
            inProject={inProject}
            onMade={async (output) => {
              await reload()
              setMade(output)
            }}
            onClose={() => setMaking(false)}
          />
        )}
        {revoking && (
          <ConfirmDialog
            call="revokeAccessToken"
            title={t('tokens.revokeTitle', { name: revoking.name })}
            input={() => ({ accessTokenId: revoking.id })}
            submit="tokens.revoke"
            failed="tokens.revokeFailed"
            onDone={reload}
            said={t('tokens.revoked', { name: revoking.name })}
            focus={list}
            onClose={() => setRevoking(undefined)}
          >
            <p className="text-soft">{t('tokens.revokeText')}</p>
          </ConfirmDialog>
        )}
      </Card>
    </section>
  )
}

type TokenRowProps = {
  token: AccessToken
  ofProject: boolean
  isOver: boolean
  onRevoke: () => void
}

function TokenRow({ token, ofProject, isOver, onRevoke }: TokenRowProps) {
  const t = useT()
  const format = useFormat()
  const detailsId = useId()
  const { name, access, subscription_name: project, maker, expires, last_used, uses } = token
  const until = format.date(expires)
  const used = last_used === null ? undefined : format.dateTime(last_used)
  const network = token.last_network ?? ''
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-inset py-3">
      <div className="flex min-w-0 flex-1 basis-44 items-center gap-3">
        <KeySquare className="size-5 shrink-0 text-soft" />
        <div className="min-w-0">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-strong wrap-anywhere">
            {name}
            <Chip>{t(`tokens.${access}`)}</Chip>
            {isOver && <Badge tone="warn">{t('tokens.expired')}</Badge>}
          </p>
          <div id={detailsId} className="text-small text-soft tabular-nums wrap-anywhere">
            {ofProject && <p>{t('tokens.madeBy', { name: maker.name })}</p>}
            {!ofProject && project !== null && (
              <p>{t('tokens.only', { project: project || t('common.untitledProject') })}</p>
            )}
            <p>
              {used ? (
                <Unbroken
                  text={t('tokens.lastUsed', { time: used, network, uses })}
                  parts={[used]}
                />
              ) : (
                t('profile.twoStep.neverUsed')
              )}
            </p>
            <p>
              <Unbroken text={t('tokens.until', { time: until })} parts={[until]} />
            </p>
          </div>
        </div>
      </div>
      <Button
        onClick={onRevoke}
        aria-label={t('tokens.revokeOf', { name })}
        aria-describedby={detailsId}
        className="ms-auto"
      >
        {t('tokens.revoke')}
      </Button>
    </li>
  )
}

type Made = CallOutput<'createAccessToken'>

/** A new access token, which nobody can see again. */
function NewToken({ made, onKept }: { made: Made; onKept: () => void }) {
  const t = useT()
  const section = useRef<HTMLElement>(null)
  const id = useId()
  useEffect(() => section.current!.focus(), [])
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-labelledby={id}
      className="grid scroll-mt-20 justify-items-start gap-3 border-t border-line px-inset py-4 outline-none"
    >
      <h3 id={id} className="font-strong wrap-anywhere">
        {t('tokens.made', { name: made.accessToken.name })}
      </h3>
      <p className="text-soft">{t('tokens.madeText')}</p>
      <CopyId
        id={made.token}
        label={t('tokens.copy')}
        className="rounded-notice bg-tint px-4 py-3"
      />
      <Button variant="primary" onClick={onKept}>
        {t('tokens.kept')}
      </Button>
    </section>
  )
}
