import { limits } from '#config/limits.ts'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { startSession } from './api/session.ts'
import { hasSession } from './api/sign-out.ts'
import { ErrorBoundary } from './components/error-boundary.tsx'
import { startI18n } from './platform/i18n.ts'
import { AppRoutes, preloadFirstScreen, preloadPointedScreens } from './routes.tsx'
import { followSystemTheme } from './platform/theme.ts'
import './theme.css'

// A page without words shows nothing, so it starts again.
start().catch(() => setTimeout(() => location.reload(), limits.screens.reloadAfter))

/** Not awaited by this module: the chunks it fetches may import the one that this module is in. */
async function start() {
  // All three requests are under way at once; the page is drawn before the answer to the first.
  void startSession()
  await Promise.all([startI18n(hasSession()), preloadFirstScreen()])

  followSystemTheme()
  preloadPointedScreens()
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
