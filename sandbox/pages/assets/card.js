// The fields of a card in a frame of the app. The app says how they look and gets the id of the card
// or an error, never the number.
import { brandOf, codeLength, digitsOf, isWhole, judge, rewritten, write } from './card-text.js'

const main = document.querySelector('main')
const fields = [...document.querySelectorAll('input')]
const [number, expiry, cvc] = fields
/** What the API says of these faults. The app has words for its codes. */
const codes = { expiryOver: 'expired_card', cvcWrong: 'incorrect_cvc' }
const testCard = { number: '4242424242424242', expiry: '1234', cvc: '123' }
/** The fields that say what is wrong with them, until they are edited. */
const marked = new Set()
/** What the app gave to `draw` last. */
let look

window.cardPage = { draw, focus, make, mark: document.getElementById('mark') }

/** `input` stands for the fields in the app's form, and `error` is what the form says about it. */
function draw(given) {
  look = given
  const { lang, theme, font, say, error, input } = look
  // The form focuses its input if the card is wrong, and a hidden one takes no focus itself.
  input.focus = focus
  document.documentElement.lang = lang
  document.documentElement.style.colorScheme = theme === 'system' ? '' : theme
  if (document.fonts.size === 0)
    document.fonts.add(new FontFace(readFamily(), `url(${font})`, { weight: '100 900' }))
  for (const place of document.querySelectorAll('[data-text]'))
    place.textContent = say(place.dataset.text)
  const wrong = fields.filter(faultOf)
  if (error) for (const field of wrong) marked.add(field)
  for (const field of fields) showError(field)
  // What the provider or the bank refuses is the card itself.
  if (error && wrong.length === 0) showError(number, error)
  main.hidden = false
}

/** The app's first font. */
function readFamily() {
  const style = getComputedStyle(document.documentElement)
  return style.getPropertyValue('--font-sans').split(',')[0].trim().replaceAll(/['"]/g, '')
}

function focus() {
  const first = fields.find(faultOf) ?? number
  first.focus()
}

/** The word that says what is wrong with a field, empty if nothing is. */
function faultOf({ id, value }) {
  const fault = judge[id](value, number.value)
  return fault && (codes[`${id}${fault}`] ?? `${id}${fault}`)
}

/** An error takes the place of the hint, so that what is below stays where it is. */
function showError(field, error = textOfFault(field)) {
  const note = document.getElementById(`${field.id}-error`)
  // A screen reader would announce a text that is written again.
  if (note.textContent !== error) note.textContent = error
  if (error) field.setAttribute('aria-invalid', 'true')
  else field.removeAttribute('aria-invalid')
  const hint = look.say(codeLength(number.value) === 4 ? 'cvcFront' : 'cvcBack')
  document.getElementById('cvc-hint').textContent = cvc.ariaInvalid ? '' : hint
}

function textOfFault(field) {
  const fault = marked.has(field) && faultOf(field)
  return fault ? look.say(fault) : ''
}

fields.forEach((field, place) => {
  let shown = ''
  field.addEventListener('input', ({ inputType = '' }) => {
    const typed = { value: field.value, caret: field.selectionStart, inputType }
    const { text, caret } = rewritten(shown, typed, (digits) =>
      write[field.id](digits, number.value),
    )
    shown = field.value = text
    marked.delete(field)
    showError(field)
    look.input.value = fields.some(faultOf) ? '' : 'good'
    look.input.dispatchEvent(new Event('input', { bubbles: true }))
    look.onBrand(brandOf(number.value))
    if (document.activeElement !== field) return
    field.setSelectionRange(caret, caret)
    if (inputType.startsWith('insert') && caret === text.length && isWhole(field.id, text))
      fields[place + 1].focus()
  })
  field.addEventListener('blur', () => {
    if (field.value === '') return
    marked.add(field)
    showError(field)
  })
  field.addEventListener('keydown', ({ key }) => {
    if (key === 'Enter') look.input.form.querySelector('[type=submit]').click()
  })
})

document.querySelector('button').addEventListener('click', () => {
  for (const field of fields) {
    field.value = testCard[field.id]
    field.dispatchEvent(new Event('input'))
  }
})

// The frame is as high as its content.
new ResizeObserver(() => {
  if (!main.hidden) frameElement.style.height = `${main.offsetHeight}px`
}).observe(main)

/** Sends the card to the API, whose answer has the id of the card or an error. */
function make({ name, phone, address = {} }) {
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
  return fetch('/sandbox/stripe/v1/payment_methods', { method: 'POST', headers, body })
}
