export { Bell as icon } from 'lucide-react'
