// The fields of a card in a frame of the app. The app says how they look, and hears whether they are
// filled in. It gets the id of the card or an error, never the number.
import { brandOf, codeLength, digitsOf, isWhole, judge, rewritten, write } from './card-text.js'

const main = document.querySelector('main')
const inputs = [...document.querySelectorAll('input')]
const [number, expiry, cvc] = inputs
const testCard = { number: '4242424242424242', expiry: '1234', cvc: '123' }
/** The fields that say what is wrong with them, until they are edited. */
const marked = new Set()
let texts = {}

function tell(message) {
  parent.postMessage(message, location.origin)
}

/** The key of the text that says what is wrong with a field, undefined if nothing is. */
function faultOf({ id, value }) {
  const fault = judge[id](value, number.value)
  return fault && `${id}${fault}`
}

addEventListener('message', async ({ origin, source, data, ports }) => {
  if (origin !== location.origin || source !== parent) return
  if (data.texts) show(data)
  if (data.isFocused) (inputs.find(faultOf) ?? number).focus()
  if (data.holder) ports[0].postMessage(await makeCard(data.holder))
})

function show({ lang, theme, font, texts: given, error }) {
  texts = given
  document.documentElement.lang = lang
  document.documentElement.style.colorScheme = theme === 'system' ? '' : theme
  if (document.fonts.size === 0)
    document.fonts.add(new FontFace('Inter Variable', `url(${font})`, { weight: '100 900' }))
  for (const place of document.querySelectorAll('[data-text]'))
    place.textContent = texts[place.dataset.text]
  const wrong = inputs.filter(faultOf)
  if (error) for (const input of wrong) marked.add(input)
  for (const input of inputs) showError(input)
  // What the provider or the bank refuses is the card itself.
  if (error && wrong.length === 0) showError(number, error)
  main.hidden = false
}

/** An error takes the place of the hint, so that what is below stays where it is. */
function showError(input, error = marked.has(input) ? texts[faultOf(input)] : '') {
  const note = document.getElementById(`${input.id}-error`)
  // A screen reader would announce a text that is written again.
  if (note.textContent !== error) note.textContent = error
  if (error) input.setAttribute('aria-invalid', 'true')
  else input.removeAttribute('aria-invalid')
  const hint = texts[codeLength(number.value) === 4 ? 'cvcFront' : 'cvcBack']
  document.getElementById('cvc-hint').textContent = cvc.ariaInvalid ? '' : hint
}

inputs.forEach((input, place) => {
  let shown = ''
  input.addEventListener('input', ({ inputType = '' }) => {
    const typed = { value: input.value, caret: input.selectionStart, inputType }
    const { text, caret } = rewritten(shown, typed, (digits) =>
      write[input.id](digits, number.value),
    )
    shown = input.value = text
    marked.delete(input)
    showError(input)
    tell({ isEdited: true, isGood: !inputs.some(faultOf), brand: brandOf(number.value) })
    if (document.activeElement !== input) return
    input.setSelectionRange(caret, caret)
    if (inputType.startsWith('insert') && caret === text.length && isWhole(input.id, text))
      inputs[place + 1].focus()
  })
  input.addEventListener('keydown', ({ key }) => {
    if (key === 'Enter') tell({ isSent: true })
  })
})

document.querySelector('button').addEventListener('click', () => {
  for (const input of inputs) {
    input.value = testCard[input.id]
    input.dispatchEvent(new Event('input'))
  }
})

// The frame is as high as its content. The app draws the brand's mark over it, in the number.
new ResizeObserver(() => {
  if (!main.hidden)
    tell({ height: main.offsetHeight, middle: number.offsetTop + number.offsetHeight / 2 })
}).observe(main)

/** Sends the card to the API. Returns its answer, which is a card or an error. */
async function makeCard({ name, phone, address = {} }) {
  const expires = digitsOf(expiry.value)
  const body = new URLSearchParams({
    type: 'card',
    'card[number]': digitsOf(number.value),
    'card[exp_month]': expires.slice(0, 2),
    'card[exp_year]': expires.slice(2).padStart(4, '20'),
    'card[cvc]': cvc.value,
    'billing_details[name]': name,
    ...(phone && { 'billing_details[phone]': phone }),
  })
  for (const [key, value] of Object.entries(address))
    body.set(`billing_details[address][${key}]`, value)
  const headers = { authorization: 'Bearer pk_test_sandbox' }
  try {
    const init = { method: 'POST', headers, body }
    const answer = await (await fetch('/sandbox/stripe/v1/payment_methods', init)).json()
    return { id: answer.id, error: answer.error }
  } catch {
    return { error: { type: 'api_connection_error' } }
  }
}
