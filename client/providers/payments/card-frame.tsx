import { brandName } from '#contract/card-brands.ts'
import type { BillingDetails } from '#contract/entities.ts'
import font from 'font-of-theme?url'
import { useContext, useEffect, useRef, useState, type SyntheticEvent } from 'react'
import { createPortal } from 'react-dom'
import { CallError } from '../../api/post.ts'
import { CardMark } from '../../components/card-mark.tsx'
import { FormErrors } from '../../components/fields.tsx'
import { LiveProblem } from '../../components/message.tsx'
import { isMessageKey, useLanguage, useT } from '../../platform/i18n.ts'
import { useTheme } from '../../platform/theme.ts'

/** What the script of the sandbox's page offers. The page has our origin. */
export type CardPage = {
  draw: (look: object) => void
  focus: () => void
  /** Sends the card to the sandbox's API. */
  make: (holder: Partial<BillingDetails>) => Promise<Response>
  /** The place for the mark of the card's brand. */
  mark: Element
}

/** The sandbox's page with the fields of a card, which fills in one hidden input of the form. */
export function CardFrame({ onReady }: { onReady: (page: CardPage) => void }) {
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
