import { product } from '#config/product.ts'
import { useT } from '../../platform/i18n.ts'

const { termsUrl, privacyUrl } = product
const sentence = termsUrl ? (privacyUrl ? 'both' : 'terms') : privacyUrl ? 'privacy' : undefined

/** Says what people agree to. Draws nothing if the configuration has neither of the documents. */
export function Consent() {
  const t = useT()
  if (!sentence) return null
  const documents = {
    terms: { url: termsUrl, name: t('auth.consent.theTerms') },
    privacy: { url: privacyUrl, name: t('auth.consent.thePrivacy') },
  }
  // The places of the links in the sentence are marked, since a text can't hold them.
  const pieces = t(`auth.consent.${sentence}`, { terms: '<terms>', privacy: '<privacy>' })
  return (
    <p className="text-small text-soft">
      {pieces.split(/<(terms|privacy)>/).map((piece) => {
        const document = Object.hasOwn(documents, piece) && documents[piece as 'terms' | 'privacy']
        if (!document) return piece
        return (
          <a
            key={piece}
            href={document.url}
            target="_blank"
            rel="noreferrer"
            className="rounded-control font-medium text-accent-ink underline underline-offset-3"
          >
            {document.name}
          </a>
        )
      })}
    </p>
  )
}
