import { brandName } from '#contract/card-brands.ts'
import type { BillingDetails } from '#contract/entities.ts'
import { useEffect, useRef, useContext, useState, type FormEvent, type SyntheticEvent } from 'react'
import font from 'font-of-theme?url'
import { createPortal } from 'react-dom'
import { useSession } from '../../api/session.ts'
import { AddressFields, billingDetailsOf } from '../../components/address-fields.tsx'
import { FormSection } from '../../components/form-page.tsx'
import {
  cardholderOf,
  askBuyer,
  keptCard,
  notAuthenticated,
  type BillingFieldsProps,
  type SetupFieldsProps,
  type ConfirmSetup,
} from './payment-screens.ts'
import { CallError } from '../../api/post.ts'
import { Button } from '../../components/button.tsx'
import { FormActions } from '../../components/call-form.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { useT, isMessageKey, useLanguage } from '../../platform/i18n.ts'
import { CardMark } from '../../components/card-mark.tsx'
import { FormErrors } from '../../components/fields.tsx'
import { LiveProblem } from '../../components/message.tsx'
import { useTheme } from '../../platform/theme.ts'

const prefix = 'billingInfo.billingDetails.'

/** Replaces Stripe's own fields while no Stripe account is configured. */
export function BillingFields(props: BillingFieldsProps) {
  const { isCardLater, known, onReady, onEdit, onAddress } = props
  const { user } = useSession()

  useEffect(() => {
    if (isCardLater)
      onReady(async (values) => ({ billingDetails: billingDetailsOf(values, prefix) }))
  }, [isCardLater, onReady])

  function begin({ make }: CardPage) {
    onReady(async (values) => {
      const billingDetails = billingDetailsOf(values, prefix)
      const { id } = await answerOf<{ id: string }>(make(billingDetails))
      return { billingDetails, paymentMethodId: id }
    })
  }

  function edit({ currentTarget }: FormEvent) {
    onEdit()
    const values = new FormData(currentTarget.closest('form')!)
    onAddress(billingDetailsOf(values, prefix).address)
  }

  return (
    <div className="grid gap-5" onInput={edit}>
      {!isCardLater && (
        <FormSection title="billing.overdue.payWith">
          <CardFrame onReady={begin} />
        </FormSection>
      )}
      <FormSection title="billing.invoiceTo">
        <AddressFields
          key={JSON.stringify(known)}
          prefix={prefix}
          known={known ?? { name: user.displayName }}
        />
      </FormSection>
    </div>
  )
}

export function SetupFields({ onReady }: SetupFieldsProps) {
  function begin({ make, focus }: CardPage) {
    // The frame loads after the form, and the user may already be typing the name.
    if (!document.activeElement?.matches('input, select')) focus()
    onReady(async (values) => {
      const { id } = await answerOf<{ id: string }>(make({ name: cardholderOf(values) }))
      return confirmSetup(id)
    })
  }

  return <CardFrame onReady={begin} />
}

type SetupIntent = {
  status: string
  payment_method: string | null
  next_action: object | null
  last_setup_error?: ProviderError | null
}
type ProviderError = { type: string; code?: string; decline_code?: string }

function confirmSetup(card: string): ConfirmSetup {
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
async function answerOf<Found extends object>(request: Promise<Response>) {
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

/** What the script of the sandbox's page offers. The page has our origin. */
type CardPage = {
  draw: (look: object) => void
  focus: () => void
  /** Sends the card to the sandbox's API. */
  make: (holder: Partial<BillingDetails>) => Promise<Response>
  /** The place for the mark of the card's brand. */
  mark: Element
}

/** The sandbox's page with the fields of a card, which fills in one hidden input of the form. */
function CardFrame({ onReady }: { onReady: (page: CardPage) => void }) {
  const t = useT()
  const lang = useLanguage()
  const theme = useTheme()
  const error = useContext(FormErrors)['framed.card']
  const input = useRef<HTMLInputElement>(null)
  const [page, setPage] = useState<CardPage>()
  const [brand, onBrand] = useState<string>()
  const [problem, setProblem] = useState<CallError>()

  /** A word is one of ours about cards or a code of the API. */
  const say = (word: string) =>
    t([`billing.card.${word}`, `declines.${word}`].find(isMessageKey) ?? 'forms.invalid')
  const draw = (page: CardPage | undefined) =>
    page?.draw({ lang, theme, font, say, error, input: input.current, onBrand })
  useEffect(() => draw(page))

  function begin({ currentTarget: frame }: SyntheticEvent<HTMLIFrameElement>) {
    // The browser's own page about an error hides its document.
    const { cardPage } = (frame.contentDocument?.defaultView ?? {}) as { cardPage?: CardPage }
    if (!cardPage) return setProblem(new CallError('paymentsBlocked', { host: location.host }))
    setPage(cardPage)
    draw(cardPage)
    onReady(cardPage)
  }

  return (
    <>
      <LiveProblem error={problem} retry={() => setProblem(undefined)} />
      <input ref={input} type="hidden" name="framed.card" required />
      {!problem && (
        // The page has 4 pixels on each side for the ring of the focus.
        <div className="-m-1">
          {/* oxlint-disable-next-line react/iframe-missing-sandbox -- it asks the API as we may */}
          <iframe
            title={t('billing.card.title')}
            src="/sandbox/card"
            onLoad={begin}
            className="h-65 w-full"
          />
        </div>
      )}
      {page &&
        createPortal(
          <>
            <CardMark brand={brand} />
            {brand && <span className="unseen">{brandName(brand)}</span>}
          </>,
          page.mark,
        )}
    </>
  )
}
