import { paymentsContract } from '../../contracts/payments.ts'
import { asksAt, cheap, dear, payments } from './account.ts'
import './note-requests.ts'

paymentsContract(asksAt, async () => ({ payments, cheap, dear }))
