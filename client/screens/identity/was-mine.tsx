import { useContext, useId } from 'react'
import { FieldError, FormErrors } from '../../components/fields.tsx'
import { useFormat } from '../../platform/format.ts'
import { useT } from '../../platform/i18n.ts'

/** Asks whether the account belonged to the reader before it got this address. */
export function WasMine({ changed, email }: { changed: string; email: string }) {
  const t = useT()
  const format = useFormat()
  const [hintId, errorId] = [useId(), useId()]
  const error = useContext(FormErrors)['wasMine']
  return (
    <fieldset aria-describedby={error ? errorId : hintId}>
      <legend className="text-small font-strong">
        {t('auth.action.wasMine.question', { date: format.date(changed) })}
      </legend>
      <p id={hintId} className="mt-0.5 mb-1.5 text-small text-soft wrap-anywhere">
        {t('auth.action.wasMine.why', { email })}
      </p>
      <div className="grid divide-y divide-line rounded-notice border border-line">
        {(['yes', 'no'] as const).map((answer) => (
          <label key={answer} className="flex items-center gap-3 px-4 py-2.5">
            <input type="radio" name="wasMine" value={answer} className="tick shrink-0" />
            <span>
              {t(`auth.action.wasMine.${answer}`)}
              {answer === 'no' && (
                <span className="block text-small text-soft">
                  {t('auth.action.wasMine.afterNo')}
                </span>
              )}
            </span>
          </label>
        ))}
      </div>
      <FieldError id={errorId}>{error}</FieldError>
    </fieldset>
  )
}
