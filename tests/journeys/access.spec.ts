import { lookAt } from './look-at.ts'
import { beyond, looks } from './screens.ts'
import { test } from './stage.ts'

for (const { name, look } of looks)
  test(`the screen ${name} is accessible`, async ({ stage }) => lookAt(look, stage))

for (const look of beyond)
  test(`${look.state} is accessible`, async ({ stage }) => lookAt(look, stage))
