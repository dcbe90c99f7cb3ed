import type { Plan } from '#config/plans.ts'
import { product } from '#config/product.ts'
import { paths } from '#contract/paths.ts'
import { Link, useSearchParams } from 'react-router'
import { useVisitor } from '../../api/session.ts'
import { ButtonLink, TextLink } from '../../components/button.tsx'
import { Logo } from '../../components/logo.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { PlanGrid } from '../../components/plan-grid.tsx'
import { withChoice } from '../../components/price-choice.ts'
import { AuthFooter } from '../../layouts/auth-layout.tsx'
import { useT } from '../../platform/i18n.ts'
import { withReturn } from '../../platform/return-path.ts'

/** The plans and prices, for everybody. Visitors who choose a plan sign up, and then pay for it. */
export function Pricing() {
  const t = useT()
  const isSignedIn = useVisitor().status === 'signedIn'
  const [query] = useSearchParams()
  const toPlan = ({ id }: Plan) => {
    const wanted = withChoice(paths.createPlan, query, id)
    return { to: isSignedIn ? wanted : withReturn(paths.signUp, wanted), state: { isAsked: true } }
  }
  return (
    <>
      <main className="px-4 sm:px-6 lg:px-10">
        <div className="mx-auto flex h-14 max-w-page items-center">
          <Link to={paths.home} className="rounded-control">
            <Logo />
          </Link>
        </div>
        <div className="mt-8 grid justify-items-center gap-5 text-center lg:mt-14">
          <PageTitle title={t('pricing.title')} intro={t(product.tagline)} />
          {isSignedIn ? (
            <ButtonLink to={paths.dashboard} size="large">
              {t('common.toProjects')}
            </ButtonLink>
          ) : (
            <p className="text-soft">
              {t('auth.haveAccount')} <TextLink to={paths.signIn}>{t('auth.signIn')}</TextLink>
            </p>
          )}
        </div>
        <div className="mx-auto mt-10 max-w-page">
          <PlanGrid isCentered linkTo={toPlan} />
        </div>
        <p className="mt-6 text-center text-balance text-soft">{t('pricing.note')}</p>
      </main>
      <AuthFooter plans="shown" />
    </>
  )
}
