import { limits } from '#config/limits.ts'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { startSession } from './api/session.ts'
import { ErrorBoundary } from './components/error-boundary.tsx'
import { startI18n } from './platform/i18n.ts'
import {
  AppRoutes,
  needsAllTexts,
  preloadFirstScreen,
  preloadPointedScreens,
  projectInUrl,
} from './routes.tsx'
import { showTheme } from './platform/theme.ts'
import './app.css'

// If the page can't load its texts, it stays empty, so it reloads after a while.
start().catch(() => setTimeout(() => location.reload(), limits.screens.reloadAfter))

/**
 * Nothing in this module awaits `start`: a chunk that it loads may import this module's chunk, and
 * each would wait for the other.
 */
async function start() {
  // All requests run at once. The page is drawn before the session is known.
  void startSession(projectInUrl())
  await Promise.all([startI18n(needsAllTexts()), preloadFirstScreen()])

  showTheme()
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
