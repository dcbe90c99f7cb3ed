export { Webhook as icon } from 'lucide-react'
