import { paymentsContract } from '../../../server/providers/payments/contract.ts'
import { asksAt, cheap, dear, payments } from './account.ts'
import './note-requests.ts'

paymentsContract(asksAt, async () => ({ payments, cheap, dear }))
