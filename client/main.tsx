import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { startSession } from './api/session.ts'
import { ErrorBoundary } from './components/error-boundary.tsx'
import { startI18n } from './i18n.ts'
import { AppRoutes } from './routes.tsx'
import { preloadScreen } from './screen.ts'
import { followSystemTheme } from './theme.ts'
import './theme.css'

// All three are on their way at once; only the words are waited for.
void startSession()
preloadScreen(location.pathname)
await startI18n()

followSystemTheme()
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <BrowserRouter>
      <ErrorBoundary>
        <AppRoutes />
      </ErrorBoundary>
    </BrowserRouter>
  </StrictMode>,
)
