import { limits } from '#config/limits.ts'
import { paths } from '#contract/paths.ts'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { startSession } from './api/session.ts'
import { hasSession } from './api/sign-out.ts'
import { ErrorBoundary } from './components/error-boundary.tsx'
import { startI18n } from './i18n.ts'
import { AppRoutes } from './routes.tsx'
import { preloadScreen, preloadWhatIsPointedAt } from './screen.ts'
import { followSystemTheme } from './theme.ts'
import './theme.css'

// Without words nothing can be said: it is tried again.
start().catch(() => setTimeout(() => location.reload(), limits.screens.reloadAfter))

/** Not awaited here: what is fetched may import what is in this very file. */
async function start() {
  // All three are on their way at once; only who it is is not waited for.
  const isMember = hasSession()
  void startSession()
  const pathname = location.pathname === paths.home ? paths.dashboard : location.pathname
  await Promise.all([startI18n(isMember), preloadScreen(pathname, isMember)])

  followSystemTheme()
  preloadWhatIsPointedAt()
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <BrowserRouter>
        <ErrorBoundary>
          <AppRoutes />
        </ErrorBoundary>
      </BrowserRouter>
    </StrictMode>,
  )
}
