import { deleteApp, initializeApp, type FirebaseApp } from '@firebase/app'
import { Component, type ComponentContainer } from '@firebase/component'
import { getFunctions, httpsCallableFromURL } from '@firebase/functions'
import { expect, onTestFinished, test } from 'vitest'
import { listen } from '../../server/running/listen.ts'
import { aWorld } from '../world.ts'

/** Google's own client, signed in with one of our tokens. */
function aClient(token: string) {
  const app = initializeApp({ projectId: 'app' }, token)
  onTestFinished(() => deleteApp(app))
  const auth = {
    getToken: async () => ({ accessToken: token }),
    getUid: () => null,
    addAuthTokenListener() {},
    removeAuthTokenListener() {},
  }
  // Google's own sign-in library would register itself here.
  const { container } = app as FirebaseApp & { container: ComponentContainer }
  container.addComponent(
    new Component('auth-internal' as never, () => auth as never, 'PRIVATE' as never),
  )
  return getFunctions(app)
}

test("Google's callable client can make a call, and reads a refusal as one of its own errors", async () => {
  const world = await aWorld()
  const { id, owner } = await world.aProject()
  const http = await listen(world.app, { host: '127.0.0.1', port: 0, trustedProxies: 0 })
  onTestFinished(() => http.close())
  const invite = httpsCallableFromURL(
    aClient(owner.token),
    `http://127.0.0.1:${http.port}/api/createInvite`,
  )
  const input = { subscriptionId: id, email: 'bob@example.com', permissions: ['access'] }

  expect((await invite(input)).data).toEqual({ inviteId: expect.any(String) })
  await expect(invite(input)).rejects.toMatchObject({
    code: 'functions/already-exists',
    message: expect.stringContaining('pending invite'),
    details: { reason: 'alreadyInvited' },
  })
})
