import { useEffect, useRef } from 'react'
import { CallError } from '../../api/post.ts'
import { Button } from '../../components/button.tsx'
import { FormActions } from '../../components/call-form.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { useT } from '../../platform/i18n.ts'
import { askBuyer, keptCard, notAuthenticated, type ConfirmSetup } from './payment-screens.ts'

type SetupIntent = {
  status: string
  payment_method: string | null
  next_action: object | null
  last_setup_error?: ProviderError | null
}
type ProviderError = { type: string; code?: string; decline_code?: string }

export function confirmSetup(card: string): ConfirmSetup {
  return async ({ clientSecret, returnUrl }) => {
    const setup = { payment_method: card, return_url: returnUrl }
    const { next_action } = await askAboutSetup(clientSecret, setup)
    if (next_action) await challenge(clientSecret)
    return finishSetup(clientSecret)
  }
}

export async function finishSetup(clientSecret: string) {
  return keptCard(await askAboutSetup(clientSecret), toCallError)
}

/** Shows the bank's question. The server knows where the page is, and the page says when it ends. */
export function challenge(clientSecret: string) {
  return askBuyer((onEnd) => <Challenge clientSecret={clientSecret} onEnd={onEnd} />)
}

function Challenge({ clientSecret, onEnd }: { clientSecret: string; onEnd: () => void }) {
  const t = useT()
  const dialog = useRef<HTMLDialogElement>(null)
  const frame = useRef<HTMLIFrameElement>(null)
  const title = t(
    clientSecret.startsWith('seti_') ? 'billing.cards.challenge' : 'billing.challenge',
  )

  useEffect(() => {
    const listen = ({ source, data }: MessageEvent) =>
      source === frame.current?.contentWindow &&
      data?.source === 'sandbox' &&
      dialog.current?.close()
    addEventListener('message', listen)
    return () => removeEventListener('message', listen)
  }, [])

  return (
    <Dialog ref={dialog} title={title} onClose={onEnd}>
      <iframe
        ref={frame}
        title={title}
        src={`/sandbox/authenticate/${pathOf(clientSecret)}`}
        sandbox="allow-scripts allow-forms"
        className="mb-4 h-[min(24rem,60dvh)] w-full rounded-control border border-line"
      />
      <FormActions>
        <Button size="large" onClick={() => dialog.current?.close()}>
          {t('common.cancel')}
        </Button>
      </FormActions>
    </Dialog>
  )
}

/** Asks the sandbox as a provider's script would. With `setup`, confirms it. */
function askAboutSetup(clientSecret: string, setup?: Record<string, string>) {
  const path = pathOf(clientSecret, setup && '/confirm')
  const headers = { authorization: 'Bearer pk_test_sandbox' }
  const sent = setup && { method: 'POST', body: new URLSearchParams(setup) }
  const url = `/sandbox/stripe/v1/setup_intents/${path}`
  return answerOf<SetupIntent>(fetch(url, { headers, ...sent }))
}

/** The id of an intent and then its secret, as they stand in URLs. */
function pathOf(clientSecret: string, action = '') {
  const [id = ''] = clientSecret.split('_secret_')
  const query = new URLSearchParams({ client_secret: clientSecret })
  return `${encodeURIComponent(id)}${action}?${query}`
}

/** What the sandbox's API answers. Throws a CallError if that is an error. */
export async function answerOf<Found extends object>(request: Promise<Response>) {
  const answer: Found | { error: ProviderError } = await request
    .then((response) => response.json())
    .catch(() => {
      throw new CallError('network')
    })
  if ('error' in answer) throw toCallError(answer.error)
  return answer
}

function toCallError({ type, code = '', decline_code }: ProviderError) {
  if (code.endsWith('_authentication_failure')) return notAuthenticated()
  if (type !== 'card_error') return new CallError('paymentMethodNotCreated')
  return new CallError('cardDeclined', { declineCode: decline_code ?? code })
}
