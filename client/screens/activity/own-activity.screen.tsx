export { Activity as OwnActivity } from './activity.screen.tsx'
