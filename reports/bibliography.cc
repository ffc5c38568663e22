#include "reports/bibliography.h"

namespace mbsbench::reports {

std::string Bibliography() {
  return R"(% Sources of the methods and problems that mbsbench compares. Fields that could not be confirmed from the
% papers themselves or from other public references to them are left out, and what is missing is said above an entry.

@article{rui2020riccati,
  author  = {Rui, Xue and Bestle, Dieter and Wang, Guoping and Zhang, Jiangshu and Rui, Xiaoting and He, Bin},
  title   = {A new version of the {Riccati} transfer matrix method for multibody systems consisting of chain and branch bodies},
  journal = {Multibody System Dynamics},
  volume  = {49},
  pages   = {337--354},
  year    = {2020},
  doi     = {10.1007/s11044-019-09711-2},
  note    = {riccati-mstmm; branch4, branchN}
}

% unconfirmed, so left out: the other authors, volume, number; the title is paraphrased from its abstract
@article{rui2018deduction,
  author  = {Rui, Xiaoting and others},
  title   = {Automatic deduction of the overall transfer equation for tree systems and closed-loop-and-branch-mixed systems},
  journal = {Advances in Mechanical Engineering},
  year    = {2018},
  doi     = {10.1177/1687814018788752},
  note    = {classical-mstmm; mixed12, mixed250; title paraphrased}
}

@article{lu2014recursive,
  author  = {Lu, Ming and Gu, Wenbin and Liu, Jianqing and Wang, Zhenxiong and Jing, Zhisheng and Qin, Guowei and Tu, Shanchao},
  title   = {Recursive Dynamic Algorithm of Open-Chain Multibody System},
  journal = {Mathematical Problems in Engineering},
  volume  = {2014},
  pages   = {457682},
  year    = {2014},
  doi     = {10.1155/2014/457682},
  note    = {kane-huston; dpend18, rocket}
}

% unconfirmed, so left out: journal (KSME International Journal 16?), volume, pages
@misc{choi2002steady,
  author = {Choi, Dong Hwan and Park, Jung Hun and Yoo, Hong Hee},
  title  = {Steady-State Equilibrium Analysis of a Multibody System Driven by Constant Generalized Speeds},
  year   = {2002},
  note   = {steady-state-newton; swing, governor}
}

% unconfirmed, so left out: journal, volume, pages; the year is that of the manuscript (received April 10, 2002)
@misc{attia2002serial,
  author = {Attia, Hazem Ali},
  title  = {Equations of motion of serial chains in spatial motion using a recursive algorithm},
  year   = {2002},
  note   = {equivalent-particles; wishbone}
}

@article{gould2016profiles,
  author  = {Gould, Nicholas and Scott, Jennifer},
  title   = {A Note on Performance Profiles for Benchmarking Software},
  journal = {ACM Transactions on Mathematical Software},
  volume  = {43},
  number  = {2},
  year    = {2016},
  doi     = {10.1145/2950048}
}

@article{dolan2002profiles,
  author  = {Dolan, Elizabeth D. and Mor{\'e}, Jorge J.},
  title   = {Benchmarking optimization software with performance profiles},
  journal = {Mathematical Programming},
  volume  = {91},
  pages   = {201--213},
  year    = {2002},
  doi     = {10.1007/s101070100263}
}

@book{featherstone2008rigid,
  author    = {Featherstone, Roy},
  title     = {Rigid Body Dynamics Algorithms},
  publisher = {Springer},
  year      = {2008},
  doi       = {10.1007/978-1-4899-7560-7},
  note      = {articulated-body, composite-body}
}

% unconfirmed, so left out: doi
@article{featherstone2005efficient,
  author  = {Featherstone, Roy},
  title   = {Efficient Factorization of the Joint-Space Inertia Matrix for Branched Kinematic Trees},
  journal = {The International Journal of Robotics Research},
  volume  = {24},
  number  = {6},
  pages   = {487--500},
  year    = {2005},
  note    = {composite-body}
}

% unconfirmed, so left out: volume, number, pages
@article{walker1982efficient,
  author  = {Walker, M. W. and Orin, D. E.},
  title   = {Efficient Dynamic Computer Simulation of Robotic Mechanisms},
  journal = {Journal of Dynamic Systems, Measurement, and Control},
  year    = {1982},
  note    = {composite-body}
}

@book{haug1989computer,
  author    = {Haug, Edward J.},
  title     = {Computer Aided Kinematics and Dynamics of Mechanical Systems},
  publisher = {Allyn and Bacon},
  year      = {1989},
  note      = {cartesian-dae; slidercrank3d, governor}
}

% unconfirmed, so left out: volume, pages
@article{gear1985automatic,
  author  = {Gear, C. W. and Leimkuhler, B. and Gupta, G. K.},
  title   = {Automatic integration of {Euler}-{Lagrange} equations with constraints},
  journal = {Journal of Computational and Applied Mathematics},
  year    = {1985},
  doi     = {10.1016/0377-0427(85)90008-1},
  note    = {cartesian-dae:ggl, equivalent-particles:ggl}
}

@article{baumgarte1972stabilization,
  author  = {Baumgarte, J.},
  title   = {Stabilization of constraints and integrals of motion in dynamical systems},
  journal = {Computer Methods in Applied Mechanics and Engineering},
  volume  = {1},
  number  = {1},
  pages   = {1--16},
  year    = {1972},
  doi     = {10.1016/0045-7825(72)90018-7},
  note    = {cartesian-dae:baumgarte}
}

% unconfirmed, so left out: the volume (public references print 6)
@article{gonzalez2006benchmarking,
  author  = {Gonz{\'a}lez, Manuel and Dopico, Daniel and Lugr{\'i}s, Urbano and Cuadrado, Javier},
  title   = {A benchmarking system for {MBS} simulation software: Problem standardization and performance measurement},
  journal = {Multibody System Dynamics},
  pages   = {179--190},
  year    = {2006},
  note    = {library of the IFToMM benchmark problems}
}
)";
}

}  // namespace mbsbench::reports
