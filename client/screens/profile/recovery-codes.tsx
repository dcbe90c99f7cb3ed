import { product } from '#config/product.ts'
import { slug } from '#contract/slug.ts'
import { Copy, Download, Printer } from 'lucide-react'
import { useEffect, useId, useRef } from 'react'
import { useSession } from '../../api/session.ts'
import { Button } from '../../components/button.tsx'
import { copyText } from '../../components/copy-id.tsx'
import { useT } from '../../platform/i18n.ts'
import { saveFile } from '../../platform/save-file.ts'

type RecoveryCodesProps = { codes: string[]; onKept: () => void }

/** New recovery codes, which nobody can see again. */
export function RecoveryCodes({ codes, onKept }: RecoveryCodesProps) {
  const t = useT()
  const { email } = useSession().user
  const section = useRef<HTMLElement>(null)
  const id = useId()
  useEffect(() => {
    section.current!.focus({ preventScroll: true })
    section.current!.scrollIntoView({ block: 'nearest' })
  }, [])
  const title = `${product.name}: ${t('profile.twoStep.codes')} (${email})`
  const text = `${[title, '', ...codes].join('\n')}\n`
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-labelledby={id}
      className="print-alone grid gap-3 outline-none border-t border-line px-inset py-4"
    >
      <h3 id={id} className="font-strong">
        {t('profile.twoStep.codes')}
      </h3>
      <p className="hidden wrap-anywhere print:block">
        {product.name} · {email}
      </p>
      <p className="text-soft">{t('profile.twoStep.codesText')}</p>
      <ul className="grid w-fit gap-x-8 gap-y-1 sm:grid-cols-2 print:grid-cols-2 rounded-notice bg-tint px-4 py-3">
        {codes.map((code) => (
          <li key={code} className="id-text">
            {code}
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button icon={<Copy />} onClick={() => void copyText(codes.join('\n'), t('common.copied'))}>
          {t('profile.twoStep.copy')}
        </Button>
        <Button icon={<Printer />} onClick={() => print()}>
          {t('profile.twoStep.print')}
        </Button>
        <Button
          icon={<Download />}
          onClick={() => saveFile(`${slug}-recovery-codes.txt`, text, 'text/plain')}
        >
          {t('profile.twoStep.download')}
        </Button>
        <Button variant="primary" onClick={onKept} className="sm:ms-auto">
          {t('profile.twoStep.kept')}
        </Button>
      </div>
    </section>
  )
}
