import { paths, projectPath } from '#contract/paths.ts'
import { Navigate, Route, Routes } from 'react-router'
import { RequireSignedIn } from './guards/require-signed-in.tsx'
import { RequireSignedOut } from './guards/require-signed-out.tsx'
import { AuthLayout } from './layouts/auth-layout.tsx'
import { loadMemberMessages } from './i18n.ts'
import type { News } from './layouts/use-news.ts'
import { screen, whenSignedIn } from './screen.ts'

const SignIn = screen(
  paths.signIn,
  async () => (await import('./screens/identity/sign-in.tsx')).SignIn,
)
const SignUp = screen(
  paths.signUp,
  async () => (await import('./screens/identity/sign-up.tsx')).SignUp,
)
const ResetPassword = screen(
  paths.resetPassword,
  async () => (await import('./screens/identity/reset-password.tsx')).ResetPassword,
)
const AuthAction = screen(
  paths.authAction,
  async () => (await import('./screens/identity/auth-action.tsx')).AuthAction,
)
const Invitation = screen(
  paths.invitation,
  async () => (await import('./screens/invites/invitation.tsx')).Invitation,
)
const NotFound = screen(undefined, async () => (await import('./screens/not-found.tsx')).NotFound)

const SignedInArea = screen(whenSignedIn, async () => {
  const [{ SignedInArea }] = await Promise.all([
    import('./layouts/signed-in-area.tsx'),
    loadMemberMessages(),
  ])
  return SignedInArea
})
const MainLayout = screen(
  whenSignedIn,
  async () => (await import('./layouts/main-layout.tsx')).MainLayout,
)
const Dashboard = screen(
  paths.dashboard,
  async () => (await import('./screens/subscriptions/dashboard.tsx')).Dashboard,
)
const Profile = screen(
  paths.profile,
  async () => (await import('./screens/profile/profile.tsx')).Profile,
)
const OwnActivity = screen(
  paths.ownActivity,
  async () => (await import('./screens/activity/own-activity.tsx')).OwnActivity,
)
const CreatePlan = screen(
  paths.createPlan,
  async () => (await import('./screens/subscriptions/create-plan.tsx')).CreatePlan,
)
const EditName = screen(
  paths.editName,
  async () => (await import('./screens/profile/edit-name.tsx')).EditName,
)
const EditEmail = screen(
  paths.editEmail,
  async () => (await import('./screens/profile/edit-email.tsx')).EditEmail,
)
const ChangePassword = screen(
  paths.changePassword,
  async () => (await import('./screens/profile/change-password.tsx')).ChangePassword,
)
const DeleteAccount = screen(
  paths.deleteAccount,
  async () => (await import('./screens/profile/delete-account.tsx')).DeleteAccount,
)

const SubscriptionLayout = screen(
  `${paths.subscription}/*`,
  async () => (await import('./layouts/subscription-layout.tsx')).SubscriptionLayout,
)
const OfMembers = screen(
  `${paths.subscription}/*`,
  async () => (await import('./guards/require-access.tsx')).OfMembers,
)
const OfAdmins = screen(
  `${paths.subscription}/*`,
  async () => (await import('./guards/require-access.tsx')).OfAdmins,
)
const OfOwner = screen(
  `${paths.subscription}/*`,
  async () => (await import('./guards/require-access.tsx')).OfOwner,
)
const ProjectDashboard = screen(
  paths.subscription,
  async () => (await import('./screens/subscriptions/project-dashboard.tsx')).ProjectDashboard,
)
const Settings = screen(
  paths.settings,
  async () => (await import('./screens/subscriptions/settings.tsx')).Settings,
)
const Activity = screen(
  paths.activity,
  async () => (await import('./screens/activity/activity.tsx')).Activity,
)
const Users = screen(paths.users, async () => (await import('./screens/members/users.tsx')).Users)
const Invite = screen(
  paths.invite,
  async () => (await import('./screens/invites/invite.tsx')).Invite,
)
const Billing = screen(
  paths.billing,
  async () => (await import('./screens/billing/billing.tsx')).Billing,
)
const ChangePlan = screen(
  paths.changePlan,
  async () => (await import('./screens/billing/change-plan.tsx')).ChangePlan,
)
const CancelSubscription = screen(
  paths.cancelSubscription,
  async () => (await import('./screens/billing/cancel-subscription.tsx')).CancelSubscription,
)
const ManagePaymentMethods = screen(
  paths.managePaymentMethods,
  async () => (await import('./screens/billing/manage-payment-methods.tsx')).ManagePaymentMethods,
)
const UpdateBillingDetails = screen(
  paths.updateBillingDetails,
  async () => (await import('./screens/billing/update-billing-details.tsx')).UpdateBillingDetails,
)
const TransferOwnership = screen(
  paths.transferOwnership,
  async () => (await import('./screens/billing/transfer-ownership.tsx')).TransferOwnership,
)

export function AppRoutes() {
  return (
    <Routes>
      <Route path={paths.home} element={<Navigate to={paths.dashboard} replace />} />

      <Route element={<AuthLayout />}>
        <Route element={<RequireSignedOut />}>
          <Route path={paths.signIn} element={<SignIn />} />
          <Route path={paths.signUp} element={<SignUp />} />
        </Route>
        <Route path={paths.resetPassword} element={<ResetPassword />} />
        <Route path={paths.authAction} element={<AuthAction />} />
        <Route path={paths.invitation} element={<Invitation />} />
        <Route path="*" element={<NotFound />} />
      </Route>

      <Route element={<RequireSignedIn />}>
        <Route element={<SignedInArea />}>
          <Route element={<MainLayout />}>
            <Route path={paths.dashboard} element={<Dashboard />} />
            <Route path={paths.profile} element={<Profile />} />
            <Route path={paths.editName} element={<EditName />} />
            <Route path={paths.editEmail} element={<EditEmail />} />
            <Route path={paths.changePassword} element={<ChangePassword />} />
            <Route path={paths.deleteAccount} element={<DeleteAccount />} />
            <Route path={paths.ownActivity} element={<OwnActivity />} />
            <Route path={paths.createPlan} element={<CreatePlan />} />
          </Route>

          <Route
            path={projectPath('subscription', '')}
            element={
              <Navigate
                to={paths.dashboard}
                state={{ notLoaded: 'noSubscriptionId' } satisfies News}
                replace
              />
            }
          />
          <Route element={<SubscriptionLayout />}>
            <Route element={<OfMembers />}>
              <Route path={paths.subscription} element={<ProjectDashboard />} />
            </Route>
            <Route element={<OfAdmins />}>
              <Route path={paths.settings} element={<Settings />} />
              <Route path={paths.users} element={<Users />} />
              <Route path={paths.invite} element={<Invite />} />
              <Route path={paths.billing} element={<Billing />} />
              <Route path={paths.activity} element={<Activity />} />
            </Route>
            <Route element={<OfOwner />}>
              <Route path={paths.changePlan} element={<ChangePlan />} />
              <Route path={paths.cancelSubscription} element={<CancelSubscription />} />
              <Route path={paths.managePaymentMethods} element={<ManagePaymentMethods />} />
              <Route path={paths.updateBillingDetails} element={<UpdateBillingDetails />} />
              <Route path={paths.transferOwnership} element={<TransferOwnership />} />
            </Route>
          </Route>
        </Route>
      </Route>
    </Routes>
  )
}
