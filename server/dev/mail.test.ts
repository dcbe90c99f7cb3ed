import { expect, test } from 'vitest'
import { aWorld } from '../../tests/world.ts'

test('the page of kept mails shows each mail as HTML and as text, the newest open, without running its scripts', async () => {
  const world = await aWorld()
  await world.somePeople('ann', 'bob')
  const answer = await world.request('/dev/mail')
  const page = await answer.text()
  expect(answer.headers.get('content-security-policy')).toContain("script-src 'self'")
  expect(page.match(/<details class="card" open>/g)).toHaveLength(1)
  expect(page.match(/<details/g)).toHaveLength(2)
  expect(page).toContain('to bob@example.com')
  const [frame] = page.match(/<iframe[^>]+>/)!
  expect(frame).not.toContain('allow-scripts')
  expect(frame).toContain('&lt;base target=&quot;_blank&quot;&gt;')
  expect(frame).toContain('/icon-any-192.png')
  expect(frame).not.toContain('cid:')
  const [mail] = await world.mails('ann@example.com')
  expect(Object.keys(mail!).toSorted()).toEqual(['at', 'html', 'links', 'subject', 'text', 'to'])
  expect(page).toContain(`<a href="${mail!.links[0]!.replaceAll('&', '&amp;')}">`)
})

test('the page of kept mails can be limited to an address, in any case and with spaces around it', async () => {
  const world = await aWorld()
  await world.somePeople('ann', 'bob')
  const pageTo = async (to: string) =>
    (await world.request(`/dev/mail?to=${encodeURIComponent(to)}`)).text()
  expect((await pageTo(' Ann@Example.com ')).match(/to \w+@example.com/g)).toEqual([
    'to ann@example.com',
  ])
  expect(await pageTo('zoe@example.com')).toContain('Nothing has been sent to zoe@example.com.')
  expect(await pageTo('<b>')).not.toContain('<b>')
  expect((await pageTo('')).match(/<details/g)).toHaveLength(2)
})

test('the newest of kept mails is that of the newest job, even if an older job ends after it', async () => {
  const world = await aWorld()
  const mail = { to: 'ann@example.com', text: '', html: '' }
  for (const id of ['8', '7'])
    await world.services.mailer.send({ ...mail, subject: `Job ${id}` }, id)
  const subjects = (await world.mails(mail.to)).map(({ subject }) => subject)
  expect(subjects).toEqual(['Job 8', 'Job 7'])
})

test('the script of the page of kept mails is loaded from a file', async () => {
  const { headers } = await (await aWorld()).request('/dev/mail.js')
  expect(headers.get('content-type')).toContain('javascript')
})
