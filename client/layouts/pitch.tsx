import { product } from '#config/product.ts'
import { paths } from '#contract/paths.ts'
import { Logo } from '../components/logo.tsx'
import { useT } from '../platform/i18n.ts'

/**
 * What the product is, beside the forms for visitors, from the height at which their card begins.
 * Phones and tablets have no room for it.
 */
export function Pitch() {
  const t = useT()
  return (
    <aside className="flex flex-col deepening px-[max(4rem,calc(50%-15rem))] pb-16 text-on-tile max-lg:hidden forced-colors:border-e">
      <div className="flex h-[max(4.5rem,18svh)] shrink-0 items-center">
        <FrontLink />
      </div>
      <div>
        <p className="max-w-100 text-pitch text-balance">{t(product.tagline)}</p>
        <ul className="mt-6 grid list-disc gap-2.5 ps-5 text-lead">
          <li>{t('product.facts.invite')}</li>
          <li>{t('product.facts.charges')}</li>
          <li>{t('product.facts.roles')}</li>
        </ul>
      </div>
      <p className="mt-auto pt-10">
        {product.frontOfHouse && (
          <a
            href={paths.pricing}
            className="rounded-control font-strong underline decoration-current/40 underline-offset-4 hover:decoration-current"
          >
            {t('product.seePlans')}
          </a>
        )}
      </p>
    </aside>
  )
}

/** The mark leads to what the product is. */
export function FrontLink() {
  return (
    <a href={product.frontOfHouse ? paths.welcome : paths.home} className="rounded-control">
      <Logo />
    </a>
  )
}
