import { lookAt } from './look-at.ts'
import { beyond, looks } from './screens.ts'
import { test } from './stage.ts'

for (const { name, look } of looks)
  test(`${name}: open to all`, async ({ stage }) => lookAt(look, stage))

for (const look of beyond)
  test(`${look.state}: open to all`, async ({ stage }) => lookAt(look, stage))
