import { brandName } from '#contract/card-brands.ts'
import type { BillingDetails } from '#contract/entities.ts'
import font from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url'
import { useContext, useEffect, useRef, useState } from 'react'
import { CardMark } from '../../components/card-mark.tsx'
import { FormErrors } from '../../components/fields.tsx'
import { useLanguage, useT } from '../../platform/i18n.ts'
import { useTheme } from '../../platform/theme.ts'
import { toCallError, type Failed } from './sandbox-bank.tsx'

export type Card = {
  /** Sends the card from the frame to the sandbox. Returns its id, or throws a CallError. */
  make: (holder: Partial<BillingDetails>) => Promise<string>
  focus: () => void
}

const labels = ['title', 'number', 'expiry', 'cvc', 'cvcBack', 'cvcFront', 'fillIn'] as const
const sentences = [
  'sandbox',
  'numberMissing',
  'expiryMissing',
  'cvcMissing',
  'numberWrong',
] as const

/** The sandbox's page with the fields of a card. One input stands for them in the form here. */
export function CardFrame({ onReady }: { onReady: (card: Card) => void }) {
  const t = useT()
  const lang = useLanguage()
  const theme = useTheme()
  const error = useContext(FormErrors)['framed.card']
  const frame = useRef<HTMLIFrameElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const [layout, setLayout] = useState<{ height: number; middle?: number; brand?: string }>({
    height: 259,
  })

  function send(message: object, ports: MessagePort[] = []) {
    frame.current!.contentWindow!.postMessage(message, location.origin, ports)
  }

  function show() {
    const texts = Object.fromEntries(
      [...labels, ...sentences].map((word) => [word, t(`billing.card.${word}`)]),
    )
    texts['expiryWrong'] = t('forms.invalid')
    texts['expiryOver'] = t('declines.expired_card')
    texts['cvcWrong'] = t('declines.incorrect_cvc')
    send({ lang, theme, font, texts, error })
  }

  function focus() {
    frame.current!.focus()
    send({ isFocused: true })
  }

  async function make(holder: Partial<BillingDetails>) {
    const { port1, port2 } = new MessageChannel()
    const made = new Promise<{ id: string } & Failed>((resolve) =>
      port1.addEventListener('message', ({ data }) => resolve(data)),
    )
    port1.start()
    send({ holder }, [port2])
    const { id, error } = await made
    if (error) throw toCallError(error)
    return id
  }

  useEffect(() => {
    // The form calls it if the card is wrong, and a hidden input takes no focus itself.
    input.current!.focus = focus
    show()
  })

  useEffect(() => {
    function hear({ origin, source, data }: MessageEvent) {
      if (origin !== location.origin || source !== frame.current?.contentWindow) return
      const { isEdited, isGood, isSent, ...layout } = data
      if (isEdited) {
        input.current!.value = isGood ? 'good' : ''
        input.current!.dispatchEvent(new Event('input', { bubbles: true }))
      }
      if (isSent) input.current!.form!.querySelector<HTMLElement>('[type=submit]')!.click()
      setLayout((last) => ({ ...last, ...layout }))
    }
    addEventListener('message', hear)
    return () => removeEventListener('message', hear)
  }, [])

  return (
    // The page has 4 pixels on each side for the ring of the focus.
    <div className="relative -m-1">
      <input ref={input} type="hidden" name="framed.card" required />
      {/* oxlint-disable-next-line react/iframe-missing-sandbox -- it asks the API as we may */}
      <iframe
        ref={frame}
        title={t('billing.card.title')}
        src="/sandbox/card"
        onLoad={() => {
          show()
          onReady({ make, focus })
        }}
        style={{ height: layout.height }}
        className="w-full"
      />
      {layout.middle && (
        <span
          className="pointer-events-none absolute end-4 -translate-y-1/2"
          style={{ top: layout.middle }}
        >
          <CardMark brand={layout.brand} />
          {layout.brand && <span className="sr-only">{brandName(layout.brand)}</span>}
        </span>
      )}
    </div>
  )
}
