export { Shapes as icon } from 'lucide-react'
