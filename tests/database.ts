import pg from 'pg'
import { inject, onTestFinished } from 'vitest'
import { template } from './global-setup.ts'

let count = 0

/** A fresh database with every table in it, gone when the test is over. */
export async function aDatabase() {
  const server = inject('postgres')
  const name = `test_${process.pid}_${count++}`
  const admin = new pg.Client(server)
  await admin.connect()
  await admin.query(`create database ${name} template ${template}`)
  const connection = { ...server, database: name }
  const pool = new pg.Pool(connection)
  onTestFinished(async () => {
    await pool.end()
    await admin.query(`drop database ${name} with (force)`)
    await admin.end()
  })
  return {
    pool,
    connection,
    url: `postgres://${server.user}@localhost/${name}?host=${encodeURIComponent(server.host!)}&port=${server.port}`,
  }
}
